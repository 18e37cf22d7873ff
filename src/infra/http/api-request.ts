import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import type { Caller } from '../../kernel/caller';

/** What the service notes on a request. */
interface RequestNotes {
  requestId: string;
  /** Set once the API key was accepted. */
  caller?: Caller;
  /** Whether the caller's key or session would be accepted now, with the same rights; absent where none was asked for. */
  isStillAllowed?: () => Promise<boolean>;
  /** The message that it sent, also where the platform refused it. */
  messageId?: string;
  /** The code of the error that it was answered with. */
  errorCode?: string;
  /** It was refused because the process is stopping. */
  stopping?: boolean;
  /** Its answer is a stream of events, which lasts as long as somebody listens. */
  isStream?: boolean;
}

/** A request of a route of Nest. */
export interface ApiRequest extends Request, RequestNotes {}

/** A request at the edge, before Express or without it. */
export interface EdgeRequest extends IncomingMessage, RequestNotes {
  /** Address of the client; behind trusted proxies the one that they name. */
  ip: string | undefined;
  /** The declared route, once one was found; Express writes it so. */
  route?: { path?: unknown };
  baseUrl?: string;
  /** The path and query as they came in; Express changes `url` on its way. */
  originalUrl?: string;
}

/** Notes the message that the answer names. */
export function noteMessage(request: Pick<RequestNotes, 'messageId'>, body: object): void {
  if ('messageId' in body && typeof body.messageId === 'string') request.messageId = body.messageId;
}
