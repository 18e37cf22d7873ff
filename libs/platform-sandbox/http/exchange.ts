import type { IncomingMessage } from 'node:http';
import { invalidParameter } from './graph-error';

/** A JSON object as received. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is a JSON object, neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A completely received request: path without version, query, headers and body. */
export class Exchange {
  readonly segments: string[];
  readonly version: string;
  private readonly search: string;
  private parsedQuery: URLSearchParams | undefined;

  constructor(
    readonly request: IncomingMessage,
    readonly bytes: Buffer,
  ) {
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    this.search = mark < 0 ? '' : url.slice(mark + 1);
    const segments = path.split('/').filter((segment) => segment !== '');
    const versioned = /^v\d+\.\d+$/.test(segments[0] ?? '');
    this.version = versioned ? (segments[0] ?? '') : '';
    this.segments = versioned ? segments.slice(1) : segments;
  }

  get method(): string {
    return this.request.method ?? 'GET';
  }

  get query(): URLSearchParams {
    this.parsedQuery ??= new URLSearchParams(this.search);
    return this.parsedQuery;
  }

  /** The base URL of the request, for absolute links in responses. */
  get origin(): string {
    return `http://${this.request.headers.host ?? 'localhost'}`;
  }

  /** The value of a single-value header, or an empty string. */
  header(name: string): string {
    const value = this.request.headers[name];
    return typeof value === 'string' ? value : '';
  }

  /** The body as a JSON object; throws code 100 for anything else. */
  jsonBody(): JsonObject {
    let value: unknown;
    try {
      value = JSON.parse(this.bytes.toString('utf8'));
    } catch {
      throw invalidParameter('The body is not valid JSON.');
    }
    if (!isObject(value)) throw invalidParameter('The body must be a JSON object.');
    return value;
  }

  /** The parameters of a management call, from query, form and JSON body. */
  parameters(): JsonObject {
    const fromQuery = Object.fromEntries(this.query);
    if (this.bytes.length === 0) return fromQuery;
    if (this.header('content-type').startsWith('application/x-www-form-urlencoded')) {
      return { ...fromQuery, ...Object.fromEntries(new URLSearchParams(this.bytes.toString('utf8'))) };
    }
    return { ...fromQuery, ...this.jsonBody() };
  }
}
