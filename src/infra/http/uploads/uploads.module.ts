import { type DynamicModule, Module } from '@nestjs/common';
import { FileUploadInterceptor, UploadLimit } from './file-upload.decorator';
import { UploadDirectory } from './upload-directory';

/** Where uploaded files are stored during their request, and how large they may be. */
@Module({})
export class UploadsModule {
  /** Registered once, in the root module; all modules can then use FileUploadInterceptor. */
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
