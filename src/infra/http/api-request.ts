import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import type { Caller } from '../../kernel/caller';

/** State attached to a request. */
interface RequestState {
  requestId: string;
  /** Its place in a trace; absent if there is none. */
  traceparent?: string;
  /** Set once the API key is accepted. */
  caller?: Caller;
  /** Whether the caller's key or session is still valid with the same scopes; absent on routes without a key. */
  isStillAllowed?: () => Promise<boolean>;
  /** The message that it sent, even if the platform refused it. */
  messageId?: string;
  /** Error code of the response. */
  errorCode?: string;
  /** Whether it was refused because the process is stopping. */
  stopping?: boolean;
  /** Whether the response is an event stream, which stays open until the client disconnects. */
  isStream?: boolean;
}

/** A request of a Nest route. */
export interface ApiRequest extends Request, RequestState {}

/** A request at the edge, before or without Express. */
export interface EdgeRequest extends IncomingMessage, RequestState {
  /** Client address; behind trusted proxies, the address they report. */
  ip: string | undefined;
  /** The declared route, once matched; set by Express. */
  route?: { path?: unknown };
  baseUrl?: string;
  /** The original path and query; Express changes `url`. */
  originalUrl?: string;
}

/** Records the message id in the response for the access log. */
export function recordMessageId(request: Pick<RequestState, 'messageId'>, body: object): void {
  if ('messageId' in body && typeof body.messageId === 'string') request.messageId = body.messageId;
}
