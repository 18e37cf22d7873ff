import { createHash } from 'node:crypto';
import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { ApiHeader } from '@nestjs/swagger';
import type { Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { Clock } from '../../../kernel/clock';
import { type CreationClaim, unkeyedClaim } from '../../../kernel/creation-claim';
import { DomainError } from '../../../kernel/domain-error';
import { ValidationFailedError } from '../../../kernel/request.errors';
import type { Answer } from '../answer';
import { recordMessageId } from '../api-request';
import { ApiErrors } from '../errors/api-errors.decorator';
import { API_PREFIX } from '../api-prefix';
import { RequestValidationPipe } from '../validation/request-validation.pipe';
import type { UploadRequest } from '../uploads/file-upload.decorator';
import { IdempotencyKeys } from './idempotency-keys';
import { IdempotencyInProgressError, IdempotencyLostError, IdempotencyMismatchError } from './idempotency.errors';

/** An earlier request with the same key that stored no response. */
export interface EarlierRequest {
  accountId: string;
  /** The id of its resource, if it created one. */
  resourceId: string;
  /** Path parameters. */
  params: Readonly<Record<string, string>>;
}

/** Returns the current state of what an earlier request created; null if it created nothing. */
export type PresentState<Controller> = (controller: Controller, earlier: EarlierRequest) => Promise<Answer | null>;

/** A request after the interceptor. */
interface IdempotentHttpRequest extends UploadRequest {
  claim?: CreationClaim;
}

interface Outcome {
  answer: Answer;
  /** The response belongs to an earlier request; this one did nothing. */
  replayed: boolean;
}

/** Metadata of an idempotent route. */
interface IdempotentRoute<Controller> {
  /** DTO class of the body: requests are equal if their validated bodies are. */
  body: Type;
  currentState: PresentState<Controller>;
}

const ROUTE = 'idempotent-route';
const PREFIX = new RegExp(`^/${API_PREFIX}`);

/** Executes a route once per `Idempotency-Key` and replays the response for repeated requests. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly validation = new RequestValidationPipe();

  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly clock: Clock,
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<object>> {
    const http = context.switchToHttp();
    const request = http.getRequest<IdempotentHttpRequest>();
    const key = keyOf(request);
    const { answer, replayed } =
      key === undefined ? await this.answer(request, next) : await this.answerOnce(key, request, context, next);
    recordMessageId(request, answer.body);
    const response = http.getResponse<Response>();
    response.status(answer.statusCode).set(answer.headers ?? {});
    if (replayed) response.setHeader('Idempotency-Replayed', 'true');
    // A replayed error contains the id of this request.
    return of(answer.statusCode < 400 ? answer.body : { ...answer.body, requestId: request.requestId });
  }

  private async answer(request: IdempotentHttpRequest, next: CallHandler): Promise<Outcome> {
    request.claim = unkeyedClaim(this.clock.now());
    return { answer: await answerOf(next), replayed: false };
  }

  /** Claims the key, executes the route and stores the response; or returns the response of an earlier request with the key. */
  private async answerOnce(
    key: string,
    request: IdempotentHttpRequest,
    context: ExecutionContext,
    next: CallHandler,
  ): Promise<Outcome> {
    const { accountId } = request.caller!;
    const route = this.reflector.get<IdempotentRoute<unknown>>(ROUTE, context.getHandler());
    const fingerprint = await this.fingerprintOf(request, route.body);
    const keyed = { accountId, endpoint: endpointOf(request), key, fingerprint };

    const held = await this.keys.once(keyed, (resourceId) => {
      const params = request.params as Record<string, string>;
      return route.currentState(this.modules.get(context.getClass()), { accountId, resourceId, params });
    });
    if ('earlier' in held) return { answer: held.earlier, replayed: true };
    request.claim = held;
    try {
      const answer = await answerOf(next);
      await held.keep(answer);
      return { answer, replayed: false };
    } catch (error) {
      await held.fail(error);
      throw error;
    } finally {
      held.release();
    }
  }

  /** Validates the body before the key is claimed; throws if it is invalid. */
  private async fingerprintOf(request: IdempotentHttpRequest, metatype: Type): Promise<Buffer> {
    const { upload } = request;
    const body: unknown = await this.validation.transform(request.body, { type: 'body', metatype });
    request.body = body;
    return jsonFingerprint(upload ? { fields: body, file: upload.sha256 } : body);
  }
}

/**
 * The route supports `Idempotency-Key`. Its method takes a `@CurrentClaim()`, creates a resource with the id of the claim, seals
 * the claim in the same unit of work and returns an `Answer`. `body` is the class of its `@Body()`. `currentState` returns the
 * current state of what an earlier request created before it crashed without storing its response.
 */
export function Idempotent<Controller extends object>(body: Type, currentState: PresentState<Controller>) {
  const decorate = applyDecorators(
    SetMetadata(ROUTE, { body, currentState } satisfies IdempotentRoute<Controller>),
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Any 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key is not ' +
        'executed again and gets the first response (`Idempotency-Replayed: true`).',
      // Swagger UI would send an `example` with every request, and the second request would fail.
      schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['order-4711-shipped'] },
    }),
    ApiErrors(ValidationFailedError, IdempotencyInProgressError, IdempotencyLostError, IdempotencyMismatchError),
  );
  return (controller: Controller, method: string | symbol, descriptor: PropertyDescriptor): void =>
    decorate(controller, method, descriptor);
}

/** A 201 with the current state of what an earlier request created, from `read`; null if `read` throws a not-found error. */
export async function presentAs201(read: Promise<object>): Promise<Answer | null> {
  try {
    return { statusCode: 201, body: await read };
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return null;
    throw error;
  }
}

/** The claim of the request; only on `@Idempotent` routes. */
export const CurrentClaim = createParamDecorator((_: unknown, context: ExecutionContext): CreationClaim => {
  const { claim } = context.switchToHttp().getRequest<IdempotentHttpRequest>();
  if (!claim) throw new Error('CurrentClaim needs an Idempotent route');
  return claim;
});

function answerOf(next: CallHandler): Promise<Answer> {
  return lastValueFrom(next.handle() as Observable<Answer>);
}

/** Method and path without the prefix, in lower case, because clients may send ids in upper case. */
function endpointOf({ method, path }: IdempotentHttpRequest): string {
  return `${method} ${path.toLowerCase().replace(PREFIX, '').replace(/\/$/, '')}`;
}

function keyOf({ headers }: IdempotentHttpRequest): string | undefined {
  const given = headers['idempotency-key'];
  return typeof given === 'string' ? given : undefined;
}

/** SHA-256 of a JSON value; independent of the order of fields. */
export function jsonFingerprint(value: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(value, sortFields)).digest();
}

function sortFields(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
