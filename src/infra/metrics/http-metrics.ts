import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Histogram, Registry } from 'prom-client';
import type { EdgeRequest } from '../http/api-request';

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Path of the route for unknown paths. */
const CATCH_ALL = '*';

/** Request durations by declared route (never the requested path) and status. */
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

  /** Records a completed request. */
  observe(request: EdgeRequest, response: ServerResponse, seconds: number): void {
    const status = response.writableFinished ? String(response.statusCode) : 'aborted';
    this.durations.observe({ ...routeOf(request), status }, seconds);
  }
}

/** The declared route of a request as labels. */
export function routeOf({ method, baseUrl = '', route }: EdgeRequest): { method: string; route: string } {
  const path = route?.path;
  // One label for unknown routes: clients could invent any number of methods and paths.
  if (typeof path !== 'string' || path.includes(CATCH_ALL)) return { method: 'any', route: 'none' };
  return { method: method ?? '', route: baseUrl + path };
}
