import { setImmediate } from 'node:timers/promises';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { ApiConsumes } from '@nestjs/swagger';
import { finalize, type Observable } from 'rxjs';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { ApiErrors } from '../errors/api-errors.decorator';
import type { ApiRequest } from '../api-request';
import { BodyTooLargeError, MalformedJsonError, UnsupportedMediaTypeError } from '../errors/http.errors';
import { DEFAULT_LIMITS, findExcess, findUnparsable, type JsonLimits } from './json-bounds';
import { type LargeBodies, SMALL_BODY_BYTES } from './large-bodies';
import { isEncoded } from './read-bytes';
import { BodyStalledError } from './stalled-body';

type BodyFormat = { kind: 'multipart' } | { kind: 'json'; limits: JsonLimits };

const FORMAT = 'request-body-format';

const DEFAULT_FORMAT: BodyFormat = { kind: 'json', limits: DEFAULT_LIMITS };

/** The route takes a JSON body within `limits`; documents its errors. */
export function JsonBody(limits: JsonLimits = DEFAULT_LIMITS): MethodDecorator {
  return applyDecorators(
    SetMetadata(FORMAT, { kind: 'json', limits } satisfies BodyFormat),
    ApiErrors(MalformedJsonError, ValidationFailedError, BodyTooLargeError, UnsupportedMediaTypeError),
    ...(limits.maxBytes > SMALL_BODY_BYTES ? [ApiErrors(BodyStalledError)] : []),
  );
}

/** The route reads its own multipart body, through an upload interceptor. */
export function MultipartBody(): MethodDecorator {
  return applyDecorators(
    SetMetadata(FORMAT, { kind: 'multipart' } satisfies BodyFormat),
    ApiConsumes('multipart/form-data'),
  );
}

/**
 * Reads the body after the guards have accepted the request, so that clients without a key cannot make the service read anything.
 * The body is JSON unless the route declares another format.
 */
@Injectable()
export class RequestBodyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly bodies: LargeBodies,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    if (request.method === 'GET' || request.method === 'HEAD' || !hasBody(request)) return next.handle();
    const format = this.reflector.get<BodyFormat | undefined>(FORMAT, context.getHandler()) ?? DEFAULT_FORMAT;
    if (format.kind === 'json') return this.withJson(request, format.limits, next);
    if (!request.is('multipart/form-data') || isEncoded(request)) {
      throw new UnsupportedMediaTypeError('multipart/form-data');
    }
    return next.handle();
  }

  private async withJson(request: ApiRequest, limits: JsonLimits, next: CallHandler): Promise<Observable<unknown>> {
    if (!isJson(request)) throw new UnsupportedMediaTypeError('application/json in UTF-8');
    const { bytes, release } = await this.bodies.read(request, limits.maxBytes);
    try {
      const unparsable = findUnparsable(bytes, limits);
      if (unparsable) throw new ValidationFailedError([unparsable]);
      request.body = parsed(bytes);
      // Parsing 20 MB takes as long as all checks below; other requests are served in between.
      if (bytes.length > SMALL_BODY_BYTES) await setImmediate();
      const excess = findExcess(request.body, limits);
      if (excess) throw new ValidationFailedError([excess]);
    } catch (error) {
      release();
      throw error;
    }
    return next.handle().pipe(finalize(release));
  }
}

/** Parses an object or a list; an empty body is an empty object. */
function parsed(bytes: Buffer): object {
  if (bytes.length === 0) return {};
  let value: unknown;
  try {
    // Decoding would silently replace invalid bytes with other characters, which would then be sent.
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new MalformedJsonError('valid JSON');
  }
  if (typeof value !== 'object' || value === null) throw new MalformedJsonError('a JSON object');
  return value;
}

function hasBody(request: ApiRequest): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

function isJson({ headers }: { headers: { 'content-type'?: string } }): boolean {
  const [type, ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(/\s*;\s*/);
  const isUtf8 = parameters.every((one) => !one.startsWith('charset') || /^charset="?utf-?8"?$/.test(one.trimEnd()));
  return isUtf8 && /^application\/([\w.-]+\+)?json\s*$/.test(type!.trim());
}
