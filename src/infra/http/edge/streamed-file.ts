import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

const PLAIN = /^[\w .-]+$/;

/** A file sent while it is generated. */
export interface StreamedFile {
  /** Media type. */
  type: string;
  /** In any alphabet; clients that ignore the extended form get `?` for other characters. */
  name: string;
  content: Readable;
  /** In bytes; absent: unknown. */
  size?: number;
}

/**
 * Sends a file as an attachment, no faster than the client reads it; destroys the content if the client disconnects. Rejects with an
 * error of the content; after that only closing the connection signals an incomplete file.
 */
export async function sendFile(response: Response, { type, name, content, size }: StreamedFile): Promise<void> {
  response.attachment(name).set('Content-Type', type);
  if (size !== undefined) response.set('Content-Length', String(size));
  // Express quotes only names that need it; clients may rely on the quotes.
  if (PLAIN.test(name)) response.set('Content-Disposition', `attachment; filename="${name}"`);
  if (response.req.method === 'HEAD') {
    content.destroy();
    response.end();
    return;
  }
  try {
    await pipeline(content, response);
  } catch (error) {
    // The client has closed the connection.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
