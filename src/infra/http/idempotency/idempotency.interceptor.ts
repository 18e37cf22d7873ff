import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { defer, lastValueFrom, type Observable } from 'rxjs';
import type { CreationClaim } from '../../../kernel/creation-claim';
import type { Answer } from '../answer';
import { API_PREFIX } from '../api-prefix';
import { RequestValidationPipe } from '../request-validation.pipe';
import type { UploadRequest } from '../uploads/file-upload.interceptor';
import { IdempotencyKeys } from './idempotency-keys';
import { jsonFingerprint } from './request-fingerprint';

/** An earlier request with the same key that stored no answer. */
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
export interface IdempotentHttpRequest extends UploadRequest {
  claim?: CreationClaim;
}

/** Metadata of an idempotent route. */
export interface IdempotentRoute<Controller> {
  /** DTO class of the body: requests are the same if their validated bodies are equal. */
  body: Type;
  presentState: PresentState<Controller>;
}

const ROUTE = 'idempotent-route';
const PREFIX = new RegExp(`^/${API_PREFIX}`);

/** Stores the metadata of a route. */
export function declareIdempotent<Controller>(route: IdempotentRoute<Controller>): MethodDecorator {
  return SetMetadata(ROUTE, route);
}

/** Executes a route once per `Idempotency-Key` and answers repeated requests. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly validation = new RequestValidationPipe();

  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<object> {
    const http = context.switchToHttp();
    const request = http.getRequest<IdempotentHttpRequest>();
    const { accountId } = request.caller!;
    const controller: unknown = this.modules.get(context.getClass());
    const route = this.reflector.get<IdempotentRoute<unknown>>(ROUTE, context.getHandler());
    return defer(async () => {
      const { answer, replayed } = await this.keys.run(
        {
          accountId,
          endpoint: endpointOf(request),
          key: keyOf(request),
          fingerprint: () => this.fingerprintOf(request, route.body),
        },
        (claim) => {
          request.claim = claim;
          return lastValueFrom(next.handle() as Observable<Answer>);
        },
        (resourceId) =>
          route.presentState(controller, { accountId, resourceId, params: request.params as Record<string, string> }),
      );
      const response = http.getResponse<Response>();
      response.status(answer.statusCode).set(answer.headers ?? {});
      if (replayed) response.setHeader('Idempotency-Replayed', 'true');
      // A replayed error contains the id of this request.
      return answer.statusCode < 400 ? answer.body : { ...answer.body, requestId: request.requestId };
    });
  }

  /** Throws for an invalid body, before the key is claimed. */
  private async fingerprintOf(request: IdempotentHttpRequest, metatype: Type): Promise<Buffer> {
    const { upload } = request;
    const body: unknown = await this.validation.transform(request.body, { type: 'body', metatype });
    return jsonFingerprint(upload ? { fields: body, file: upload.sha256 } : body);
  }
}

/** Method and path without the prefix; in lower case, because ids may be written in capitals. */
function endpointOf({ method, path }: IdempotentHttpRequest): string {
  return `${method} ${path.toLowerCase().replace(PREFIX, '').replace(/\/$/, '')}`;
}

function keyOf({ headers }: IdempotentHttpRequest): string | undefined {
  const given = headers['idempotency-key'];
  return typeof given === 'string' ? given : undefined;
}
