import type { IncomingMessage } from 'node:http';
import { RequestAbandonedError } from '../../../kernel/request-abandoned.error';
import { BodyTooLargeError, UnsupportedMediaTypeError } from '../errors/http.errors';
import type { BodyAdmission } from './body-admission';

/**
 * Reads the bytes of a body within the limits of `admission`; throws the usual errors if it is too large or compressed, and the error
 * with which `admission` ends the reading. The rest of a body that is not read to its end is discarded.
 */
export function readBytes(request: IncomingMessage, maxBytes: number, admission: BodyAdmission): Promise<Buffer> {
  if (isEncoded(request)) return Promise.reject(new UnsupportedMediaTypeError('uncompressed bytes'));
  if (Number(request.headers['content-length']) > maxBytes) return Promise.reject(new BodyTooLargeError(maxBytes));
  if (request.destroyed) return Promise.reject(new RequestAbandonedError());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const giveUp = (error: Error): void => {
      request.off('data', collect);
      chunks.length = 0;
      body.end();
      reject(error);
      // The next request of the connection follows the rest of this body.
      request.resume();
    };
    const body = admission.begin(giveUp);
    const collect = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) return giveUp(new BodyTooLargeError(maxBytes));
      chunks.push(chunk);
      body.add(chunk.length);
    };
    request.on('data', collect);
    request.once('end', () => {
      body.end();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    request.once('close', () => giveUp(new RequestAbandonedError()));
  });
}

/** Whether the body is compressed. */
export function isEncoded({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
}
