import { MessagingClient } from '../../../libs/client/messaging-client';
import type { MessagingClientOptions } from '../../../libs/client/calls';
import { KEY, type Service } from './service';

/** Untyped JSON: tests check its shape. */
export type Json = ReturnType<JSON['parse']>;

/** A response of the service, with its body parsed if it is JSON. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

/** What a call sends besides its path. */
export interface CallOptions {
  key?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
  form?: FormData;
}

/**
 * The API of a service, by default with the bootstrap key: `messaging` for use like a client program, and raw requests,
 * for tests of responses.
 */
export class Client {
  constructor(private readonly service: Pick<Service, 'api'>) {}

  /** The client library, without automatic retries, so that a test sees each response. */
  messaging(key: string = KEY, options: Partial<MessagingClientOptions> = {}): MessagingClient {
    return new MessagingClient({ baseUrl: this.service.api, apiKey: key, retries: 0, ...options });
  }

  get(path: string, options?: CallOptions): Promise<Answer> {
    return this.call('GET', path, options);
  }

  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    return this.call('POST', path, { body, ...options });
  }

  /** Uploads a file and text fields to endpoint 3. */
  upload(
    file: { name: string; content: string | Buffer } | null,
    fields: Record<string, string>,
    options?: CallOptions,
  ): Promise<Answer> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    if (file) form.append('file', new Blob([new Uint8Array(Buffer.from(file.content))]), file.name);
    return this.call('POST', '/bulk-import-messages', { form, ...options });
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { key = KEY, body, headers = {}, form } = options;
    const response = await fetch(this.service.api + path, {
      method,
      headers: {
        ...(key !== null && { 'x-api-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: form ?? (body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)),
    });
    // An event stream has no end.
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (isStream) await response.body!.cancel();
    const text = isStream ? '' : await response.text();
    let parsed: unknown = text;
    try {
      parsed = JSON.parse(text);
    } catch {
      // Not JSON: keep the text.
    }
    return { status: response.status, headers: response.headers, body: parsed };
  }
}
