import { rm } from 'node:fs/promises';
import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants';
import { ApiBody } from '@nestjs/swagger';
import type { Response } from 'express';
import multer from 'multer';
import { defer, lastValueFrom, type Observable } from 'rxjs';
import { FileEmptyError, FileTooLargeError, UnsupportedFileTypeError } from '../../../kernel/file.errors';
import { RequestAbandonedError } from '../../../kernel/request-abandoned.error';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { ApiErrors } from '../api-errors.decorator';
import type { ApiRequest } from '../api-request';
import { UnsupportedMediaTypeError } from '../http.errors';
import { MultipartBody } from '../request-body';
import { FileRequiredError } from './file-required.error';
import { HashingStorage } from './hashing-storage';
import { UploadDirectory } from './upload-directory';
import { UploadStalledError } from './upload-stalled.error';
import { type AdmittedUpload, type UploadBounds, UploadsUnderWay } from './uploads-under-way';

/** An uploaded file, on disk for the duration of the request. */
export interface Upload {
  path: string;
  /** File name from the client, without folders and control characters. */
  fileName: string;
  /** Content type from the client; null if it gave none. */
  declaredType: string | null;
  /** Size in bytes. */
  size: number;
  /** SHA-256 of the content, in hex. */
  sha256: string;
}

/** Largest allowed upload in bytes, the active uploads of all routes, and how many ms without a byte abort one. */
export class UploadLimit {
  readonly underWay: UploadsUnderWay;

  constructor(
    readonly bytes: number,
    bounds: UploadBounds = { perAccount: 64, bytesPerAccount: 5 * bytes, bytes: 10 * bytes },
    readonly stallMs = 10_000,
  ) {
    this.underWay = new UploadsUnderWay(bounds);
  }
}

/** A request whose route uses FileUploadInterceptor. */
export interface UploadRequest extends ApiRequest {
  upload?: Upload;
}

const FIELD = 'file';
const NAME_LENGTH = 255;

/** Receives the multipart body with exactly one file, in the field `file`, and removes the file after the answer. */
@Injectable()
export class FileUploadInterceptor implements NestInterceptor {
  constructor(
    private readonly directory: UploadDirectory,
    private readonly limit: UploadLimit,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<UploadRequest>();
    return defer(async () => {
      const admitted = this.limit.underWay.enter(request.caller!.accountId, this.sizeOf(request));
      const response = http.getResponse<Response>();
      try {
        await this.store(request, response, admitted);
        return await lastValueFrom(next.handle() as Observable<unknown>);
      } catch (error) {
        // The rest of the body would have to arrive before another request.
        if (error instanceof UploadStalledError) response.setHeader('Connection', 'close');
        throw error;
      } finally {
        if (request.file) await rm(request.file.path, { force: true });
        admitted.leave();
      }
    });
  }

  /** The size that the client announces, at most what is received of it. */
  private sizeOf({ headers }: UploadRequest): number {
    const announced = headers['content-length'];
    return announced === undefined ? this.limit.bytes : Math.min(Number(announced), this.limit.bytes);
  }

  private async store(request: UploadRequest, response: Response, admitted: AdmittedUpload): Promise<void> {
    const { bytes, stallMs } = this.limit;
    const stall = new AbortController();
    const storage = new HashingStorage(() => this.directory.newFile(), admitted, stall.signal);
    const receive = multer({
      storage,
      limits: { fileSize: bytes, fields: 50, fieldSize: 64 * 1024, fieldNameSize: 100 },
      // Browsers and curl send file names in UTF-8; the parser's default is Latin-1.
      defParamCharset: 'utf8',
    }).single(FIELD);
    await new Promise<void>((resolve, reject) => {
      const stopWatching = watchForStall(request, stallMs, () => {
        // The parser reports an error only after the whole body, which does not arrive.
        reject(new UploadStalledError(stallMs));
        stall.abort();
      });
      receive(request, response, (error?: unknown) => {
        stopWatching();
        if (!(error instanceof Error)) resolve();
        else reject(request.readableAborted ? new RequestAbandonedError() : error);
      });
    });
    const file = request.file as (Express.Multer.File & { sha256: string }) | undefined;
    if (!file) throw new FileRequiredError();
    const { path, originalname, mimetype, size, sha256 } = file;
    request.upload = { path, fileName: shownName(originalname), declaredType: mimetype || null, size, sha256 };
  }
}

/** Calls `stalled`, once, when no byte of the body has arrived for `ms`; returns a function that stops watching. */
function watchForStall(request: UploadRequest, ms: number, stalled: () => void): () => void {
  const timer = setTimeout(() => {
    // Bytes that a slow disk has not taken yet have arrived.
    if (request.complete || request.readableLength > 0) timer.refresh();
    else stalled();
  }, ms);
  const arrived = (): unknown => timer.refresh();
  request.on('data', arrived);
  return () => {
    clearTimeout(timer);
    request.off('data', arrived);
  };
}

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
      UploadStalledError,
    ),
  );
}

/** Receives the file before any other interceptor of the route, as these read what was received. */
function receiveFirst(_controller: object, _method: string | symbol, { value }: PropertyDescriptor): void {
  const others = (Reflect.getMetadata(INTERCEPTORS_METADATA, value as object) ?? []) as unknown[];
  Reflect.defineMetadata(INTERCEPTORS_METADATA, [FileUploadInterceptor, ...others], value as object);
}

/** The uploaded file of the request; requires FileUploadInterceptor. */
export const UploadedFile = createParamDecorator((_: unknown, context: ExecutionContext): Upload => {
  const { upload } = context.switchToHttp().getRequest<UploadRequest>();
  if (!upload) throw new Error('UploadedFile is used on a route without FileUploadInterceptor');
  return upload;
});

function shownName(originalName: string): string {
  const name = originalName.replace(/^.*[/\\]/, '').replace(/[\p{Cc}\p{Cs}]/gu, '');
  return [...name].slice(0, NAME_LENGTH).join('') || FIELD;
}
