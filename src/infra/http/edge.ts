import type { RequestListener, ServerResponse } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import type { DomainError } from '../../kernel/domain-error';
import type { Shutdown } from '../lifecycle/shutdown';
import { accessLog, logAnswer } from '../logging/access-log';
import type { HttpMetrics } from '../metrics/http-metrics';
import { isPublicAddress } from '../public-addresses';
import { answerHeaders } from './answer-headers';
import type { EdgeRequest } from './api-request';
import type { DirectRoute } from './direct-route';
import { clientAddress, clientIpBehind, isWithinRanges } from './client-address';
import { boundConnections, type ConnectionLimits } from './connections';
import { answerToDomainError, sendErrorAnswer } from './error-answer';
import { RouteNotFoundError, ServiceStoppingError } from './http.errors';
import { oneAtATime } from './pipelined-requests';
import { inRequest, requestIdOf } from './request-id';
import { answerToThrown } from './thrown-error';

/** Settings of the edge. */
export interface EdgeOptions {
  /** Largest uploaded file in bytes, for the error message. */
  maxFileBytes: number;
  /** Serve only health and metrics. */
  operationsOnly?: boolean;
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is believed; absent: none. */
  trustedProxies?: readonly string[];
  /** Logs requests. */
  logger: Logger;
  /** Measures every request. */
  metrics?: HttpMetrics;
  /** How many connections there may be. */
  maxConnections?: Pick<ConnectionLimits, 'total' | 'perAddress'>;
  /** While it drains, connections end with their next answer; new requests are refused once it has begun. */
  shutdown?: Shutdown;
  /** Routes that are served without Express. */
  direct?: readonly DirectRoute[];
}

const DEFAULT_CONNECTIONS = { total: 10_000, perAddress: 1000 };
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
const MAX_UNREAD_MS = 60_000;
const OPERATIONS = /^\/(health\/(live|ready)|metrics)$/;

/**
 * What every request passes before its route: its id, the headers of all answers, the access log and the metrics, and the
 * refusals that need no route. It stands at the server itself, in front of Express, whose chain of layers costs a request of
 * the platform's webhook more than everything else.
 */
export function standAtEdge(app: NestExpressApplication, options: EdgeOptions): void {
  const { logger, metrics, maxFileBytes, direct = [] } = options;
  const server = app.getHttpServer();
  const [express] = server.listeners('request') as [RequestListener];
  const headers = answerHeaders();
  const log = accessLog(logger);
  const clientIp = clientIpBehind(options.trustedProxies ?? []);

  const route = (request: EdgeRequest, response: ServerResponse): void => {
    const path = pathOf(request);
    const refusal = refusalOf(path, options, request, response);
    if (refusal) return sendErrorAnswer(request, response, answerToDomainError(refusal, request.requestId));
    const own = direct.find((one) => one.path === path);
    if (own) void serveDirectly(own, request, response, maxFileBytes);
    else express(request, response);
  };

  const receive: RequestListener = (incoming, response) => {
    const begun = performance.now();
    const request: EdgeRequest = Object.assign(incoming, { requestId: requestIdOf(incoming), ip: clientIp(incoming) });
    for (const [name, value] of headers) response.setHeader(name, value);
    response.setHeader('X-Request-Id', request.requestId);
    response.once('close', () => {
      const ms = performance.now() - begun;
      logAnswer(log, request, response, ms);
      if (request.isStream !== true) metrics?.observe(request, response, ms / 1000);
    });
    inRequest(request.requestId, () => route(request, response));
  };
  server.off('request', express);
  server.on('request', oneAtATime(receive));
  boundConnections(server, connectionLimits(options), logger);
}

/** Proxies have the connections of many clients: those that are named, and all that are not on the public internet. */
function connectionLimits({ maxConnections, trustedProxies = [] }: EdgeOptions): ConnectionLimits {
  return {
    ...{ ...DEFAULT_CONNECTIONS, ...maxConnections, unreadBytes: MAX_UNREAD_BYTES, unreadMs: MAX_UNREAD_MS },
    isShared: (ip) => {
      const address = clientAddress({ ip })?.toString() ?? '';
      return !isPublicAddress(address) || isWithinRanges(address, trustedProxies);
    },
  };
}

/** Once the stop has begun, running requests are finished and new ones refused; health and metrics are served until the end. */
function refusalOf(
  path: string,
  { shutdown, operationsOnly }: EdgeOptions,
  request: EdgeRequest,
  response: ServerResponse,
): DomainError | null {
  const stopping = shutdown?.begun === true;
  if (shutdown?.draining) response.setHeader('Connection', 'close');
  if (OPERATIONS.test(path)) {
    // Spelt differently it would pass the rules of proxies that keep these paths from the public.
    return writtenPath(request.url ?? '') === path ? null : new RouteNotFoundError();
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
    // The client disconnected while sending its body: there is nobody to answer.
    if (request.destroyed && !request.complete) return;
    sendErrorAnswer(request, response, answerToThrown(error, request.requestId, maxFileBytes));
  }
}

/** The path as Express compares it: without scheme, host and query, a slash at the end, and capitals. */
function pathOf({ url = '' }: EdgeRequest): string {
  const path = writtenPath(url)
    .toLowerCase()
    .replace(/^https?:\/\/[^/]*/, '');
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

function writtenPath(url: string): string {
  return url.split('?', 1)[0]!;
}
