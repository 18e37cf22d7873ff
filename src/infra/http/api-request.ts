import type { Request } from 'express';
import type { Caller } from '../../kernel/caller';

/** A request with its id and, once the key was accepted, its caller. */
export interface ApiRequest extends Request {
  requestId: string;
  caller?: Caller;
}
