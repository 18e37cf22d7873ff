import { GraphError } from './graph-error';

/** What the sandbox does with a request: answer it, cut its connection, or never answer it. */
export type Answer =
  | { kind: 'reply'; status: number; contentType: string; body: string | Buffer; headers?: Record<string, string> }
  | { kind: 'stream'; contentType: string; chunks: Iterable<string> }
  | { kind: 'cut' }
  | { kind: 'silence' };

const JSON_TYPE = 'application/json; charset=UTF-8';

/** A JSON answer; status 200 unless told. */
export function json(body: unknown, status = 200, headers?: Record<string, string>): Answer {
  return { kind: 'reply', status, contentType: JSON_TYPE, body: JSON.stringify(body), headers };
}

/** The platform's `{"success": true}`. */
export function success(): Answer {
  return json({ success: true });
}

/** A refusal in the platform's shape. */
export function refusal(error: GraphError): Answer {
  return json(error.toBody(), error.status);
}

/** The answer of a gateway in front of an unavailable platform: HTTP 502 with HTML. */
export function badGateway(): Answer {
  return {
    kind: 'reply',
    status: 502,
    contentType: 'text/html; charset=utf-8',
    body: '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
  };
}

/** The connection is cut without a byte of an answer. */
export const CUT: Answer = { kind: 'cut' };

/** The request is never answered; the connection stays open until the client ends it. */
export const SILENCE: Answer = { kind: 'silence' };
