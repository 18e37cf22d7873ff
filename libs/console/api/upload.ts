import { connectionErrorOf, responseErrorOf } from './call';
import { t } from '../language/translate';

/** Options of an upload. */
export interface UploadOptions {
  /** Called with the uploaded fraction, 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
  /** Idempotency key, created by `useSendOnce`. */
  idempotencyKey?: string;
}

/** Form values; objects are sent as JSON, null, undefined and empty values are omitted. */
export type FormFields = Readonly<Record<string, File | string | number | object | null | undefined>>;

/**
 * Posts a multipart form to a path below `/api/v1/messaging` and reports upload progress, which `fetch` does not support. Rejects
 * with MessagingError, or with AbortError after an abort; an aborted upload leaves nothing behind in the service.
 */
export function upload<T>(path: string, fields: FormFields, options: UploadOptions = {}): Promise<T> {
  const { onProgress, signal, idempotencyKey } = options;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('POST', `/api/v1/messaging${path}`);
    if (idempotencyKey) request.setRequestHeader('Idempotency-Key', idempotencyKey);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    request.upload.onload = () => onProgress?.(1);
    request.onerror = () => reject(connectionErrorOf(new TypeError(t('The connection was lost.')), signal));
    request.onabort = () => reject(new DOMException(t('The upload was aborted.'), 'AbortError'));
    request.onload = () => {
      const body = parseJson(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body as T);
      else reject(responseErrorOf(responseOf(request), body));
    };
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) return reject(new DOMException(t('The upload was aborted.'), 'AbortError'));
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

function responseOf(request: XMLHttpRequest): Response {
  const retryAfter = request.getResponseHeader('retry-after');
  return new Response(null, { status: request.status, headers: retryAfter ? { 'retry-after': retryAfter } : {} });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
