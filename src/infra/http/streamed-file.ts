import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { withSmallYoungGeneration } from './small-young-generation';

/** A file that is sent while it is made. */
export interface StreamedFile {
  /** Media type. */
  type: string;
  /** In ASCII, without quotes. */
  name: string;
  content: Readable;
}

/**
 * Answers with a file as an attachment, no faster than the client reads it; when the client leaves, the content is destroyed.
 * Rejects with an error of the content, after which only closing the connection tells the client that the file is incomplete.
 */
export async function sendFile(response: Response, { type, name, content }: StreamedFile): Promise<void> {
  response.set({ 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` });
  if (response.req.method === 'HEAD') {
    content.destroy();
    response.end();
    return;
  }
  try {
    await withSmallYoungGeneration(() => pipeline(content, response));
  } catch (error) {
    // The client has closed the connection.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
