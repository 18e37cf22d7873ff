import { notReached, refused } from './call';

/** What an upload takes beside its fields. */
export interface UploadOptions {
  /** Told how much has left, from 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
  /** The key of the intention: `useSendOnce` makes it. */
  idempotencyKey?: string;
}

/** A value of a form: what is no text or file goes as JSON; what is absent is left out. */
export type FormFields = Readonly<Record<string, File | string | number | object | null | undefined>>;

/**
 * Sends a form with files to a path below `/api/v1/messaging`, telling how much has left, which `fetch` does not tell. Throws
 * MessagingError; a broken off upload leaves nothing behind in the service.
 */
export function upload<T>(path: string, fields: FormFields, options: UploadOptions = {}): Promise<T> {
  const { onProgress, signal, idempotencyKey } = options;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const breakOff = () => request.abort();
    request.open('POST', `/api/v1/messaging${path}`);
    if (idempotencyKey) request.setRequestHeader('Idempotency-Key', idempotencyKey);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    request.upload.onload = () => onProgress?.(1);
    request.onerror = () => reject(notReached(new TypeError('The connection was cut.'), signal));
    request.onabort = () => reject(new DOMException('The upload was broken off.', 'AbortError'));
    request.onload = () => {
      const body = parsed(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body as T);
      else reject(refused(answerOf(request), body));
    };
    request.onloadend = () => signal?.removeEventListener('abort', breakOff);
    signal?.addEventListener('abort', breakOff);
    if (signal?.aborted) return reject(new DOMException('The upload was broken off.', 'AbortError'));
    request.send(formOf(fields));
  });
}

function formOf(fields: FormFields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null || value === '') continue;
    if (value instanceof File) form.append(name, value);
    else form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return form;
}

function answerOf(request: XMLHttpRequest): Response {
  const retryAfter = request.getResponseHeader('retry-after');
  return new Response(null, { status: request.status, headers: retryAfter ? { 'retry-after': retryAfter } : {} });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
