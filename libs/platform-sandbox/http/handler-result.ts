import { GraphError } from './graph-error';

/** The result of a handler: a reply, a stream, a cut connection, or no response at all. */
export type HandlerResult =
  | { kind: 'reply'; status: number; contentType: string; body: string | Buffer; headers?: Record<string, string> }
  | { kind: 'stream'; contentType: string; chunks: Iterable<string> }
  | { kind: 'cut' }
  | { kind: 'silence' };

const JSON_TYPE = 'application/json; charset=UTF-8';

/** A JSON response, by default with status 200. */
export function json(body: unknown, status = 200, headers?: Record<string, string>): HandlerResult {
  return { kind: 'reply', status, contentType: JSON_TYPE, body: JSON.stringify(body), headers };
}

/** The platform's `{"success": true}`. */
export function success(): HandlerResult {
  return json({ success: true });
}

/** An error response in the platform's format. */
export function refusal(error: GraphError): HandlerResult {
  return json(error.toBody(), error.status);
}

/** The response of a gateway in front of an unavailable platform: HTTP 502 with HTML. */
export function badGateway(): HandlerResult {
  return {
    kind: 'reply',
    status: 502,
    contentType: 'text/html; charset=utf-8',
    body: '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
  };
}

/** Cuts the connection without sending a byte. */
export const CUT: HandlerResult = { kind: 'cut' };

/** No response; the connection stays open until the client closes it. */
export const SILENCE: HandlerResult = { kind: 'silence' };
