import { applyDecorators, type Type, UseInterceptors } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { FileEmptyError, FileTooLargeError, UnsupportedFileTypeError } from '../../../kernel/file.errors';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { ApiErrors } from '../api-errors.decorator';
import { UnsupportedMediaTypeError } from '../http.errors';
import { MultipartBody } from '../request-body';
import { FileRequiredError } from './file-required.error';
import { FileUploadInterceptor } from './file-upload.interceptor';

/** The route takes a form with one file, passed to `@UploadedFile()`; `form` documents its fields. */
export function FileUpload(form: Type): MethodDecorator {
  return applyDecorators(
    MultipartBody(),
    UseInterceptors(FileUploadInterceptor),
    ApiBody({ type: form }),
    ApiErrors(
      ValidationFailedError,
      FileRequiredError,
      FileEmptyError,
      FileTooLargeError,
      UnsupportedMediaTypeError,
      UnsupportedFileTypeError,
    ),
  );
}
