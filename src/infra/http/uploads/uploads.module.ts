import { type DynamicModule, Module } from '@nestjs/common';
import { FileUploadInterceptor, UploadLimit } from './file-upload.decorator';
import { UploadDirectory } from './upload-directory';

/** Provides the directory for uploaded files and their size limit. */
@Module({})
export class UploadsModule {
  /** Register it once, in the root module; all modules can then use FileUploadInterceptor. */
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
