import { type DynamicModule, Module } from '@nestjs/common';
import { FileUploadInterceptor, UploadLimit } from './file-upload.interceptor';
import { UploadDirectory } from './upload-directory';

/** Files that clients send: where they lie while their request is answered, and how large they may be. */
@Module({})
export class UploadsModule {
  /** Registered once, by the root; every module can then use FileUploadInterceptor. */
  static register({ maxFileBytes }: { maxFileBytes: number }): DynamicModule {
    return {
      module: UploadsModule,
      global: true,
      providers: [
        UploadDirectory,
        FileUploadInterceptor,
        { provide: UploadLimit, useValue: new UploadLimit(maxFileBytes) },
      ],
      exports: [UploadDirectory, FileUploadInterceptor, UploadLimit],
    };
  }
}
