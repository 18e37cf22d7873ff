import type { EdgeRequest } from './api-request';

/** A route that is served without Express, Nest's guards and pipes: for what comes thousands of times a second. */
export interface DirectRoute {
  /** In lower case, without a slash at the end. */
  readonly path: string;
  /** Answers 200 with this text. What it throws is answered like errors of all routes. */
  serve(request: EdgeRequest): Promise<string>;
}
