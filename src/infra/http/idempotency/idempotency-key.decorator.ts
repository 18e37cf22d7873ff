import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { ApiRequest } from '../api-request';
import { ApiFaults } from '../api-faults.decorator';

/** The `Idempotency-Key` of the request as it came, undefined where there is none. */
export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined => {
  const given = context.switchToHttp().getRequest<ApiRequest>().headers['idempotency-key'];
  return typeof given === 'string' ? given : undefined;
});

/** Documents that a route honours `Idempotency-Key`, and the faults that come with it. */
export function ApiIdempotencyKey(): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Any 1 to 255 printable ASCII characters, kept for 24 hours: the same request with the same key does nothing twice and gets the first answer again (`Idempotency-Replayed: true`).',
      // An `example` would be sent with every try on the page, and its second request refused.
      schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['order-4711-shipped'] },
    }),
    ApiFaults('validation_failed', 'idempotency_in_progress', 'idempotency_lost', 'idempotency_mismatch'),
  );
}
