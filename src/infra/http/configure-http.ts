import type { INestApplication } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Shutdown } from '../lifecycle/shutdown';
import { accessLog } from '../logging/access-log';
import { API_PREFIX } from './api-prefix';
import { ErrorFilter } from './error.filter';
import { operationsOnly } from './operations-only';
import { refuseWhileStopping } from './refuse-while-stopping';
import { RequestBodyInterceptor } from './request-body';
import { requestIds } from './request-id';
import { RequestValidationPipe } from './request-validation.pipe';

/** Paths without the prefix. */
const ROOT_PATHS = ['health/live', 'health/ready', 'metrics', 'webhooks/platform'];

/** Settings of the HTTP layer. */
export interface HttpOptions {
  /** Largest uploaded file in bytes, for the error message. */
  maxFileBytes: number;
  /** Serve only health and metrics. */
  operationsOnly?: boolean;
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is believed; absent: none. */
  trustedProxies?: readonly string[];
  /** Logs requests. */
  logger: Logger;
  /** Measures every request. */
  measure?: RequestHandler;
  /** New requests are refused once it has started. */
  shutdown?: Shutdown;
}

/**
 * Sets up everything around the controllers: request ids, the access log, security headers, the prefix, body reading,
 * validation and the error bodies. The application must be created with `bodyParser: false`, so that keys are checked first.
 */
export function configureHttp(app: NestExpressApplication, options: HttpOptions): void {
  app.set('query parser', 'simple');
  // The client is then the last hop in X-Forwarded-For that is none of them.
  app.set('trust proxy', options.trustedProxies ?? []);
  app.use(requestIds);
  app.use(keepOutOfCaches);
  app.use(accessLog(options.logger));
  if (options.measure) app.use(options.measure);
  if (options.shutdown) app.use(refuseWhileStopping(options.shutdown));
  if (options.operationsOnly) app.use(operationsOnly);
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        // Needed by Swagger UI; the API itself serves no HTML.
        directives: {
          defaultSrc: ["'self'"],
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:'],
          objectSrc: ["'none'"],
          frameAncestors: ["'none'"],
        },
      },
    }),
  );
  prefixRoutes(app);
  app.useGlobalPipes(new RequestValidationPipe());
  app.useGlobalInterceptors(new RequestBodyInterceptor(app.get(Reflector)));
  app.useGlobalFilters(new ErrorFilter(options.maxFileBytes));
}

/** Answers hold data of people: no shared cache keeps them, and the client's own asks before it uses one again. */
function keepOutOfCaches(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'private, no-cache');
  next();
}

/** Sets the prefix of all routes except ROOT_PATHS. */
export function prefixRoutes(app: INestApplication): void {
  app.setGlobalPrefix(API_PREFIX, { exclude: ROOT_PATHS });
}
