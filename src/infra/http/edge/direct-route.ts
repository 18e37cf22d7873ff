import type { EdgeRequest } from '../api-request';

/** A route served without Express and Nest's guards and pipes, for thousands of requests a second. */
export interface DirectRoute {
  /** In lower case, without a trailing slash. */
  readonly path: string;
  /** Resolves with the text of a 200 response; errors are handled as for all routes. */
  serve(request: EdgeRequest): Promise<string>;
}
