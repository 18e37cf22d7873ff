import { applyDecorators, type Type } from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants';
import { ApiBody } from '@nestjs/swagger';
import { FileEmptyError, FileTooLargeError, UnsupportedFileTypeError } from '../../../kernel/file.errors';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { ApiErrors } from '../api-errors.decorator';
import { UnsupportedMediaTypeError } from '../http.errors';
import { MultipartBody } from '../request-body';
import { FileRequiredError } from './file-required.error';
import { FileUploadInterceptor } from './file-upload.interceptor';

/**
 * The route takes a form with one file, passed to `@UploadedFile()`; `form` documents its fields. It may stand above or below
 * `@Idempotent`.
 */
export function FileUpload(form: Type): MethodDecorator {
  return applyDecorators(
    MultipartBody(),
    receiveFirst,
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

/** Receives the file before any other interceptor of the route, as these read what was received. */
function receiveFirst(_controller: object, _method: string | symbol, { value }: PropertyDescriptor): void {
  const others = (Reflect.getMetadata(INTERCEPTORS_METADATA, value as object) ?? []) as unknown[];
  Reflect.defineMetadata(INTERCEPTORS_METADATA, [FileUploadInterceptor, ...others], value as object);
}
