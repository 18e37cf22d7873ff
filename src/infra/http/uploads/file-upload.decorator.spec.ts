import { INTERCEPTORS_METADATA } from '@nestjs/common/constants';
import { IdempotencyInterceptor, Idempotent } from '../idempotency/idempotent.decorator';
import { FileUpload, FileUploadInterceptor } from './file-upload.decorator';

class FormDto {}

class ImportsController {
  @Idempotent(FormDto, () => Promise.resolve(null))
  @FileUpload(FormDto)
  below(): void {}

  @FileUpload(FormDto)
  @Idempotent(FormDto, () => Promise.resolve(null))
  above(): void {}
}

describe('The upload of a route', () => {
  it.each(['below', 'above'] as const)(
    'is received before an idempotent request is compared, declared %s',
    (method) => {
      expect(Reflect.getMetadata(INTERCEPTORS_METADATA, ImportsController.prototype[method])).toEqual([
        FileUploadInterceptor,
        IdempotencyInterceptor,
      ]);
    },
  );
});
