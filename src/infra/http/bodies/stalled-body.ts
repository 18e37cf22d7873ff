import type { IncomingMessage } from 'node:http';
import { domainError } from '../../../kernel/domain-error';

/** An upload or a large body arrived too slowly. */
export class BodyStalledError extends domainError({
  code: 'upload_stalled',
  kind: 'invalid',
  when: 'No byte of the upload, or less than 128 KB of a JSON body of more than 1 MB, arrived for 10 s, so it was aborted.',
  remedy: 'Send the request again over a stable connection.',
}) {
  constructor({ ms, minBytes }: StallLimits) {
    const arrived = minBytes === 1 ? 'No byte' : `Less than ${minBytes} bytes`;
    super(`${arrived} of the body arrived for ${ms / 1000} s; nothing was done. Send the request again.`);
  }
}

/** A body must bring at least `minBytes` every `ms`. */
export interface StallLimits {
  ms: number;
  minBytes: number;
}

/** Calls `stalled`, once, when a body arrives more slowly than `limits` allow; returns a function that stops watching. */
export function watchForStall(
  request: IncomingMessage,
  limits: StallLimits,
  stalled: (error: BodyStalledError) => void,
): () => void {
  let bytes = 0;
  const timer = setTimeout(() => {
    // Bytes waiting for a slow disk have arrived.
    if (request.complete || request.readableLength > 0) timer.refresh();
    else stalled(new BodyStalledError(limits));
  }, limits.ms);
  const arrived = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes < limits.minBytes) return;
    bytes = 0;
    timer.refresh();
  };
  request.on('data', arrived);
  return () => {
    clearTimeout(timer);
    request.off('data', arrived);
  };
}
