import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { Histogram, Registry } from 'prom-client';

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** The route that handles all unknown paths. */
const CATCH_ALL = '*';

/** Durations of requests by route and status; the declared route, never the requested path. */
@Injectable()
export class HttpMetrics {
  private readonly durations: Histogram<'method' | 'route' | 'status'>;

  constructor(registry: Registry) {
    this.durations = new Histogram({
      name: 'messaging_http_request_duration_seconds',
      help: 'Time from the request to the end of its response; status "aborted" if the client disconnected.',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers: [registry],
    });
  }

  /** Measures every request; must be the first middleware. */
  get middleware(): RequestHandler {
    return (request: Request, response: Response, next: NextFunction): void => {
      const begun = performance.now();
      response.once('close', () => {
        const status = response.writableFinished ? String(response.statusCode) : 'aborted';
        this.durations.observe({ ...routeOf(request), status }, (performance.now() - begun) / 1000);
      });
      next();
    };
  }
}

function routeOf(request: Request): { method: string; route: string } {
  // Typed as any: Express sets it once a route has matched.
  const path = (request.route as { path?: unknown } | undefined)?.path;
  // One label for unknown routes: clients could invent any number of methods and paths.
  if (typeof path !== 'string' || path.includes(CATCH_ALL)) return { method: 'any', route: 'none' };
  return { method: request.method, route: request.baseUrl + path };
}
