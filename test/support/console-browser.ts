import request from 'supertest';
import type { AccountsApi } from './accounts-api';

type Method = 'get' | 'post' | 'patch' | 'delete';

/** Sends requests like a browser on the console's pages, and keeps the cookie. */
export class ConsoleBrowser {
  cookie: string | undefined;

  constructor(
    private readonly api: AccountsApi,
    private readonly origin = 'http://localhost:3000',
  ) {}

  /** `more` overrides the browser's headers; undefined omits one. */
  ask(method: Method, path: string, more: Record<string, string | undefined> = {}): request.Test {
    const headers = {
      Host: new URL(this.origin).host,
      'Sec-Fetch-Site': 'same-origin',
      Cookie: this.cookie,
      ...(method !== 'get' && { Origin: this.origin }),
      ...more,
    };
    const call = request(this.api.app.getHttpServer())[method](path);
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) void call.set(name, value);
    return call;
  }

  /** A request under the API prefix. */
  http(method: Method, path: string, more: Record<string, string | undefined> = {}): request.Test {
    return this.ask(method, `/api/v1/messaging${path}`, more);
  }

  signIn(apiKey: string, more: Record<string, string | undefined> = {}): request.Test {
    return this.ask('post', '/console/session', more).send({ apiKey });
  }

  /** Signs in and keeps the cookie; returns its attributes. */
  async enter(apiKey: string, more: Record<string, string | undefined> = {}): Promise<string> {
    const { headers } = await this.signIn(apiKey, more).expect(200);
    const [set] = headers['set-cookie'] as unknown as string[];
    this.cookie = set!.split(';', 1)[0]!;
    return set!.slice(this.cookie.length);
  }
}
