import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
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
import { ApiErrors } from '../errors/api-errors.decorator';
import type { ApiRequest } from '../api-request';
import { UnsupportedMediaTypeError } from '../errors/http.errors';
import { MultipartBody } from '../bodies/request-body';
import { FileRequiredError } from './file-required.error';
import { HashingStorage } from './hashing-storage';
import { UploadDirectory } from './upload-directory';
import { BodyStalledError, watchForStall } from '../bodies/stalled-body';
import { type AdmittedUpload, type UploadBounds, ActiveUploads } from './active-uploads';

/** An uploaded file, on disk for the duration of the request. */
export interface Upload {
  path: string;
  /** The client's file name, without folders and control characters. */
  fileName: string;
  /** The client's content type; null if absent. */
  declaredType: string | null;
  /** Size in bytes. */
  size: number;
  /** SHA-256 of the content, in hex. */
  sha256: string;
}

/** Maximum upload size in bytes, the active uploads of all routes, and the ms without a byte after which an upload is aborted. */
export class UploadLimit {
  readonly active: ActiveUploads;

  constructor(
    readonly bytes: number,
    bounds: UploadBounds = { perAccount: 64, bytesPerAccount: 5 * bytes, bytes: 10 * bytes },
    readonly stallMs = 10_000,
  ) {
    this.active = new ActiveUploads(bounds);
  }
}

/** A request whose route uses FileUploadInterceptor. */
export interface UploadRequest extends ApiRequest {
  upload?: Upload;
}

const FIELD = 'file';
const NAME_LENGTH = 255;

/** Receives a multipart body with exactly one file, in the field `file`, and removes the file after the response. */
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
      const admitted = this.limit.active.enter(request.caller!.accountId, this.sizeOf(request));
      const response = http.getResponse<Response>();
      let streamed: Readable | null = null;
      const end = async (): Promise<void> => {
        if (request.file) await rm(request.file.path, { force: true });
        admitted.leave();
      };
      try {
        await this.store(request, response, admitted);
        const result = await lastValueFrom(next.handle() as Observable<unknown>);
        // A response may be made of the uploaded file while it is sent.
        if (result instanceof StreamableFile) streamed = result.getStream();
        streamed?.once('close', () => void end());
        return result;
      } finally {
        if (streamed === null) await end();
      }
    });
  }

  /** The declared size, capped at the limit. */
  private sizeOf({ headers }: UploadRequest): number {
    const declared = headers['content-length'];
    return declared === undefined ? this.limit.bytes : Math.min(Number(declared), this.limit.bytes);
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
      const stopWatching = watchForStall(request, { ms: stallMs, minBytes: 1 }, (stalled) => {
        // The parser reports an error only after the whole body, which never arrives.
        reject(stalled);
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
    request.upload = { path, fileName: safeName(originalname), declaredType: mimetype || null, size, sha256 };
  }
}

/**
 * The route takes a form with one file, passed to `@UploadedFile()`; `form` documents its fields. Place it above or below
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
      BodyStalledError,
    ),
  );
}

/** Receives the file before the route's other interceptors, which use it. */
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

function safeName(originalName: string): string {
  const name = originalName.replace(/^.*[/\\]/, '').replace(/[\p{Cc}\p{Cs}]/gu, '');
  return [...name].slice(0, NAME_LENGTH).join('') || FIELD;
}
