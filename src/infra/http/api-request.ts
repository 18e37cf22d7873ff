import type { Request } from 'express';
import type { Caller } from '../../kernel/caller';

/** A request as it passes the guards: its id always, its caller once the key was accepted. */
export interface ApiRequest extends Request {
  requestId: string;
  caller?: Caller;
}
