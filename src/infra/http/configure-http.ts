import type { INestApplication } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Shutdown } from '../lifecycle/shutdown';
import { accessLog } from '../logging/access-log';
import { ErrorFilter } from './error.filter';
import { operationsOnly } from './operations-only';
import { refuseWhileStopping } from './refuse-while-stopping';
import { MAX_JSON_BYTES, RequestBodyInterceptor } from './request-body';
import { requestIds } from './request-id';
import { RequestValidationPipe } from './request-validation.pipe';

/** What stands before every path that a client calls. */
export const API_PREFIX = 'api/v1/messaging';

/** Paths that stand at the root, without that prefix. */
const ROOT_PATHS = ['health/live', 'health/ready', 'metrics', 'webhooks/platform'];

/** What the HTTP edge must know. */
export interface HttpOptions {
  /** Most bytes of an uploaded file, told when one is too large. */
  maxFileBytes: number;
  /** Answer nothing but health and metrics. */
  operationsOnly?: boolean;
  /** Where requests are logged. */
  logger: Logger;
  /** Measures every request. */
  measure?: RequestHandler;
  /** Once it has begun, new requests are refused. */
  shutdown?: Shutdown;
}

/**
 * Everything that stands around the controllers: request ids, the access log, security headers, the prefix, body reading,
 * validation and the error bodies. The application must be created with `bodyParser: false`, so that keys are checked first.
 */
export function configureHttp(app: NestExpressApplication, options: HttpOptions): void {
  app.set('query parser', 'simple');
  app.use(requestIds);
  app.use(accessLog(options.logger));
  if (options.measure) app.use(options.measure);
  if (options.shutdown) app.use(refuseWhileStopping(options.shutdown));
  if (options.operationsOnly) app.use(operationsOnly);
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        // What Swagger UI needs; the API itself answers no documents.
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
  app.useGlobalFilters(new ErrorFilter({ maxBodyBytes: MAX_JSON_BYTES, maxFileBytes: options.maxFileBytes }));
}

/** Puts every route under the prefix but those that stand at the root. */
export function prefixRoutes(app: INestApplication): void {
  app.setGlobalPrefix(API_PREFIX, { exclude: ROOT_PATHS });
}
