import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
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
import { json, type RequestHandler, type Response } from 'express';
import type { Observable } from 'rxjs';
import { ServiceUnavailableError, ValidationFailedError } from '../../kernel/request.errors';
import { ApiErrors } from './api-errors.decorator';
import type { ApiRequest } from './api-request';
import type { BodyBudget } from './body-budget';
import { BodyTooLargeError, MalformedJsonError, UnsupportedMediaTypeError } from './http.errors';
import { findExcess, type JsonLimits } from './json-bounds';

type BodyFormat = { kind: 'multipart' } | { kind: 'json'; limits: JsonLimits; read: RequestHandler };

const FORMAT = 'request-body-format';

/** The limits of a route that says nothing else: several times what the longest template or message takes. */
const DEFAULT_LIMITS: JsonLimits = { maxBytes: 64 * 1024, maxValues: 2_000 };
const DEFAULT_FORMAT = jsonFormat(DEFAULT_LIMITS);

/** The route takes a JSON body within `limits`; documents the errors of every such route. */
export function JsonBody(limits: JsonLimits = DEFAULT_LIMITS): MethodDecorator {
  return applyDecorators(
    SetMetadata(FORMAT, jsonFormat(limits)),
    ApiErrors(MalformedJsonError, ValidationFailedError, BodyTooLargeError, UnsupportedMediaTypeError),
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
 * Reads the body after the guards have accepted the request, so that the service reads nothing from a client without a
 * key. The body is JSON unless the route declares another format.
 */
@Injectable()
export class RequestBodyInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const format = this.reflector.get<BodyFormat | undefined>(FORMAT, context.getHandler()) ?? DEFAULT_FORMAT;
    await this.read(http.getRequest<ApiRequest>(), http.getResponse<Response>(), format);
    return next.handle();
  }

  private async read(request: ApiRequest, response: Response, format: BodyFormat): Promise<void> {
    if (request.method === 'GET' || request.method === 'HEAD' || !hasBody(request)) return;
    switch (format.kind) {
      case 'multipart':
        if (!request.is('multipart/form-data') || isEncoded(request)) {
          throw new UnsupportedMediaTypeError('multipart/form-data');
        }
        return;
      case 'json': {
        if (!isJson(request)) throw new UnsupportedMediaTypeError('application/json');
        await run(format.read, request, response, format.limits.maxBytes);
        const excess = findExcess(request.body, format.limits.maxValues);
        if (excess) throw new ValidationFailedError([excess]);
      }
    }
  }
}

function jsonFormat(limits: JsonLimits): BodyFormat {
  const read = json({ limit: limits.maxBytes, type: isJson, inflate: false, verify: refuseBrokenText });
  return { kind: 'json', limits, read };
}

/** Reads the body; rejects at once, without reading it, if its announced length is above `limit`. */
async function run(parser: RequestHandler, request: ApiRequest, response: Response, limit: number): Promise<void> {
  // The parser would read the whole body first.
  if (Number(request.headers['content-length']) > limit) throw new BodyTooLargeError(limit);
  await new Promise<void>((resolve, reject) => {
    void parser(request, response, (error?: unknown) => {
      if (!(error instanceof Error)) resolve();
      else reject('type' in error && error.type === 'entity.too.large' ? new BodyTooLargeError(limit) : error);
    });
  });
}

/** Decoding would silently replace invalid bytes by other characters, which would then be sent. */
function refuseBrokenText(_request: unknown, _response: unknown, body: Buffer): void {
  if (!isUtf8(body)) throw new MalformedJsonError();
}

function isEncoded({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
}

function hasBody(request: ApiRequest): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

function isJson(request: { headers: { 'content-type'?: string } }): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(request.headers['content-type']?.trim() ?? '');
}

/** Too many bodies are being read, and this one gave way. */
class BodiesBusyError extends ServiceUnavailableError {
  constructor() {
    super('The server is busy; nothing was done. Retry later.');
  }
}

/**
 * The bytes of a body that a route reads itself, within a `budget` of all that it reads; throws as every route does where it is too large
 * or compressed, and ServiceUnavailableError where it has to give way.
 */
export function readBytes(request: IncomingMessage, maxBytes: number, budget: BodyBudget): Promise<Buffer> {
  if (isEncoded(request)) return Promise.reject(new UnsupportedMediaTypeError('uncompressed bytes'));
  if (Number(request.headers['content-length']) > maxBytes) return Promise.reject(new BodyTooLargeError(maxBytes));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const giveUp = (error: Error): void => {
      request.off('data', gather);
      chunks.length = 0;
      body.end();
      reject(error);
    };
    const body = budget.begin(() => giveUp(new BodiesBusyError()));
    const gather = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) return giveUp(new BodyTooLargeError(maxBytes));
      chunks.push(chunk);
      body.add(chunk.length);
    };
    request.on('data', gather);
    request.once('end', () => {
      body.end();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    request.once('close', () => giveUp(new Error('The connection closed before the body was complete')));
  });
}
