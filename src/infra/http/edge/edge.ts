import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import type { DomainError } from '../../../kernel/domain-error';
import { inContext } from '../../../kernel/request-context';
import type { Shutdown } from '../../lifecycle/shutdown';
import { accessLog, logRequest } from '../../logging/access-log';
import type { HttpMetrics } from '../../metrics/http-metrics';
import { isPublicAddress } from '../../public-addresses';
import { defaultHeaders } from './default-headers';
import type { EdgeRequest } from '../api-request';
import type { DirectRoute } from './direct-route';
import { clientAddress, clientIpBehind, isWithinRanges } from '../access/client-address';
import { limitConnections, type ConnectionLimits } from './connections';
import { domainErrorResponse, sendErrorResponse } from '../errors/error-response';
import { RouteNotFoundError, ServiceStoppingError } from '../errors/http.errors';
import { oneAtATime } from './pipelined-requests';
import { requestIdOf } from './request-id';
import { traceRequest } from './request-span';
import { thrownErrorResponse } from '../errors/thrown-error';

/** Settings of the edge. */
export interface EdgeOptions {
  /** Largest uploaded file in bytes, for the error message. */
  maxFileBytes: number;
  /** Serves only health and metrics. */
  operationsOnly?: boolean;
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is trusted; absent: none. */
  trustedProxies?: readonly string[];
  logger: Logger;
  metrics?: HttpMetrics;
  maxConnections?: Pick<ConnectionLimits, 'total' | 'perAddress'>;
  /** While draining, connections close with their next response; once begun, new requests are refused. */
  shutdown?: Shutdown;
  /** Routes served without Express. */
  direct?: readonly DirectRoute[];
}

const DEFAULT_CONNECTIONS = { total: 10_000, perAddress: 1000 };
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
const MAX_UNREAD_MS = 60_000;
const OPERATIONS = /^\/(health\/(live|ready)|metrics)$/;

/**
 * Handles what all requests share before routing: request id, default headers, access log, metrics and early refusals. It is
 * installed on the server, in front of Express, whose layers would be the largest cost of a platform webhook request.
 */
export function installEdge(app: NestExpressApplication, options: EdgeOptions): void {
  const { logger, metrics, maxFileBytes, direct = [] } = options;
  const server = app.getHttpServer();
  const [express] = server.listeners('request') as [RequestListener];
  const headers = defaultHeaders();
  const log = accessLog(logger);
  const clientIp = clientIpBehind(options.trustedProxies ?? []);

  const route = (path: string, request: EdgeRequest, response: ServerResponse): void => {
    const refusal = refusalOf(path, options, request, response);
    if (refusal) return sendErrorResponse(request, response, domainErrorResponse(refusal, request.requestId));
    const own = direct.find((one) => one.path === path);
    if (own) void serveDirectly(own, request, response, maxFileBytes);
    else express(request, response);
  };

  const receive: RequestListener = (incoming, response) => {
    const started = performance.now();
    const path = pathOf(incoming);
    const { ended, ...trace } = traceRequest(incoming, path);
    const context = { requestId: requestIdOf(incoming), ...trace };
    const request: EdgeRequest = Object.assign(incoming, context, { ip: clientIp(incoming) });
    for (const [name, value] of headers) response.setHeader(name, value);
    response.setHeader('X-Request-Id', request.requestId);
    response.once('close', () => {
      const ms = performance.now() - started;
      logRequest(log, request, response, ms);
      ended(request, response);
      if (request.isStream !== true) metrics?.observe(request, response, ms / 1000);
    });
    inContext(context, () => route(path, request, response));
  };
  server.off('request', express);
  server.on('request', oneAtATime(receive));
  limitConnections(server, connectionLimits(options), logger);
}

/** Trusted proxies, and all addresses outside the public internet, may carry connections of many clients. */
function connectionLimits({ maxConnections, trustedProxies = [] }: EdgeOptions): ConnectionLimits {
  return {
    ...{ ...DEFAULT_CONNECTIONS, ...maxConnections, unreadBytes: MAX_UNREAD_BYTES, unreadMs: MAX_UNREAD_MS },
    isShared: (ip) => {
      const address = clientAddress({ ip })?.toString() ?? '';
      return !isPublicAddress(address) || isWithinRanges(address, trustedProxies);
    },
  };
}

/** Once shutdown has begun, new requests are refused; health and metrics are served until the end. */
function refusalOf(
  path: string,
  { shutdown, operationsOnly }: EdgeOptions,
  request: EdgeRequest,
  response: ServerResponse,
): DomainError | null {
  const stopping = shutdown?.begun === true;
  if (shutdown?.draining) response.setHeader('Connection', 'close');
  if (OPERATIONS.test(path)) {
    // Another spelling could bypass proxy rules that hide these paths from the public.
    return withoutQuery(request.url ?? '') === path ? null : new RouteNotFoundError();
  }
  if (!(stopping || operationsOnly)) return null;
  if (!stopping) return new RouteNotFoundError();
  request.stopping = true;
  return new ServiceStoppingError();
}

async function serveDirectly(
  route: DirectRoute,
  request: EdgeRequest,
  response: ServerResponse,
  maxFileBytes: number,
): Promise<void> {
  request.route = { path: route.path };
  try {
    const text = await route.serve(request);
    if (text !== '') response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.end(text);
  } catch (error) {
    // The client disconnected while sending its body.
    if (request.destroyed && !request.complete) return;
    sendErrorResponse(request, response, thrownErrorResponse(error, request.requestId, maxFileBytes));
  }
}

/** The path as Express compares it: in lower case, without scheme, host, query and trailing slash. */
function pathOf({ url = '' }: IncomingMessage): string {
  const path = withoutQuery(url)
    .toLowerCase()
    .replace(/^https?:\/\/[^/]*/, '');
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

function withoutQuery(url: string): string {
  return url.split('?', 1)[0]!;
}
