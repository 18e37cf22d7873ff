import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** Encodings of prepared files, the smallest first. */
export const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** A file in memory, ready to be sent; a missing encoding is not offered. */
export interface PreparedFile {
  /** Content type or file extension. */
  type: string;
  plain: Buffer;
  encoded: Partial<Record<Encoding, Buffer>>;
  /** Content hash, for the ETag. */
  hash: string;
}

/** Prepares a file from its content and existing encodings. */
export function preparedFile(type: string, plain: Buffer, encoded: PreparedFile['encoded']): PreparedFile {
  return { type, plain, encoded, hash: createHash('sha256').update(plain).digest('base64url').slice(0, 22) };
}

/** Prepares a file in all encodings. */
export async function compressedFile(type: string, plain: Buffer): Promise<PreparedFile> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
  const [br, gz] = await Promise.all([promisify(brotliCompress)(plain, { params }), promisify(gzip)(plain)]);
  return preparedFile(type, plain, { br, gzip: gz });
}

/** Sends the smallest encoding that the client accepts, or 304 if the client has it; all responses share the same bytes. */
export function sendPrepared(request: Request, response: Response, { type, plain, encoded, hash }: PreparedFile): void {
  const offered = ENCODINGS.filter((one) => encoded[one]);
  if (offered.length > 0) response.vary('Accept-Encoding');
  const encoding = offered.find((one) => request.acceptsEncodings(one) === one);
  if (encoding) response.setHeader('Content-Encoding', encoding);
  response.setHeader('ETag', `"${hash}${encoding ? `-${encoding}` : ''}"`);
  response.type(type).send(encoding ? encoded[encoding] : plain);
}
