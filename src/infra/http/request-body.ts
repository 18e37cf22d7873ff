import { isUtf8 } from 'node:buffer';
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
import { json, raw, type RequestHandler, type Response } from 'express';
import { defer, type Observable, switchMap } from 'rxjs';
import { ValidationFailedError } from '../../kernel/request.errors';
import { ApiErrors } from './api-errors.decorator';
import type { ApiRequest } from './api-request';
import { BodyTooLargeError, MalformedJsonError, UnsupportedMediaTypeError } from './http.errors';

/** Largest JSON body in bytes. */
export const MAX_JSON_BYTES = 1024 * 1024;

type BodyFormat = { kind: 'multipart' } | { kind: 'raw'; maxBytes: number };

const FORMAT = 'request-body-format';

/** The route takes a JSON body; documents the errors of every such route. */
export function JsonBody(): MethodDecorator {
  return ApiErrors(MalformedJsonError, ValidationFailedError, BodyTooLargeError, UnsupportedMediaTypeError);
}

/** The route reads its own multipart body, through an upload interceptor. */
export function MultipartBody(): MethodDecorator {
  return applyDecorators(
    SetMetadata(FORMAT, { kind: 'multipart' } satisfies BodyFormat),
    ApiConsumes('multipart/form-data'),
  );
}

/** The route gets its raw body as a Buffer, whatever its content type; more than `maxBytes` is 413. */
export function RawBody(maxBytes: number): MethodDecorator {
  return SetMetadata(FORMAT, { kind: 'raw', maxBytes } satisfies BodyFormat);
}

/**
 * Reads the body after the guards have accepted the request, so that the service reads nothing from a client without a
 * key. The body is JSON unless the route declares another format.
 */
@Injectable()
export class RequestBodyInterceptor implements NestInterceptor {
  private readonly readJson = json({ limit: MAX_JSON_BYTES, type: isJson, inflate: false, verify: refuseBrokenText });

  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const format = this.reflector.get<BodyFormat | undefined>(FORMAT, context.getHandler());
    return defer(() => this.read(http.getRequest<ApiRequest>(), http.getResponse<Response>(), format)).pipe(
      switchMap(() => next.handle()),
    );
  }

  private async read(request: ApiRequest, response: Response, format: BodyFormat | undefined): Promise<void> {
    if (request.method === 'GET' || request.method === 'HEAD' || !hasBody(request)) return;
    if (format?.kind === 'multipart') {
      if (!request.is('multipart/form-data') || isEncoded(request)) {
        throw new UnsupportedMediaTypeError('multipart/form-data');
      }
      return;
    }
    const limit = format?.kind === 'raw' ? format.maxBytes : MAX_JSON_BYTES;
    if (!format && !isJson(request)) throw new UnsupportedMediaTypeError('application/json');
    // Checked first, because the parser would read the whole body.
    if (Number(request.headers['content-length']) > limit) throw new BodyTooLargeError(limit);
    await run(format ? raw({ limit, type: () => true, inflate: false }) : this.readJson, request, response, limit);
  }
}

function run(parser: RequestHandler, request: ApiRequest, response: Response, limit: number): Promise<void> {
  return new Promise((resolve, reject) => {
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

function isEncoded({ headers }: ApiRequest): boolean {
  return (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
}

function hasBody(request: ApiRequest): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

function isJson(request: { headers: { 'content-type'?: string } }): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(request.headers['content-type']?.trim() ?? '');
}
