import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { ApiErrors } from '../api-errors.decorator';
import { IdempotencyInProgressError, IdempotencyLostError, IdempotencyMismatchError } from './idempotency.errors';
import {
  declareIdempotent,
  type IdempotentHttpRequest,
  IdempotencyInterceptor,
  type PresentState,
} from './idempotency.interceptor';

/**
 * The route supports `Idempotency-Key`. Its method takes a `@CurrentClaim()`, creates a resource with the id of the claim, seals
 * the claim in the same unit of work and returns an `Answer`. `body` is the class of its `@Body()`. `presentState` returns the
 * current state of what an earlier request created if that request crashed before it stored its answer.
 */
export function Idempotent<Controller extends object>(body: Type, presentState: PresentState<Controller>) {
  const decorate = applyDecorators(
    declareIdempotent({ body, presentState }),
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Any 1 to 255 printable ASCII characters, kept for 24 hours: a repeated request with the same key is not executed again and gets the first answer (`Idempotency-Replayed: true`).',
      // Swagger UI would send an `example` with every request, and the second one would be refused.
      schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['order-4711-shipped'] },
    }),
    ApiErrors(ValidationFailedError, IdempotencyInProgressError, IdempotencyLostError, IdempotencyMismatchError),
  );
  return (controller: Controller, method: string | symbol, descriptor: PropertyDescriptor): void =>
    decorate(controller, method, descriptor);
}

/** The claim of the request; only on `@Idempotent` routes. */
export const CurrentClaim = createParamDecorator((_: unknown, context: ExecutionContext): CreationClaim => {
  const { claim } = context.switchToHttp().getRequest<IdempotentHttpRequest>();
  if (!claim) throw new Error('CurrentClaim needs an Idempotent route');
  return claim;
});
