import type { INestApplication } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { API_PREFIX } from './api-prefix';
import { compressJson } from './edge/compressed-json';
import { type EdgeOptions, installEdge } from './edge/edge';
import { ErrorFilter } from './errors/error.filter';
import { LargeBodies } from './bodies/large-bodies';
import { RequestBodyInterceptor } from './bodies/request-body';
import { RequestValidationPipe } from './validation/request-validation.pipe';

/** Paths without the prefix. */
const ROOT_PATHS = ['health/live', 'health/ready', 'metrics', 'console/session'];

/**
 * Sets up everything around the controllers: edge, prefix, body parsing, validation and error bodies. Create the application with
 * `bodyParser: false`, so that keys are checked first.
 */
export function configureHttp(
  app: NestExpressApplication,
  options: EdgeOptions,
  bodies: LargeBodies = new LargeBodies(),
): void {
  installEdge(app, options);
  compressJson(app);
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  prefixRoutes(app);
  app.useGlobalPipes(new RequestValidationPipe());
  app.useGlobalInterceptors(new RequestBodyInterceptor(app.get(Reflector), bodies));
  app.useGlobalFilters(new ErrorFilter(options.maxFileBytes));
}

/** Sets the prefix of all routes except ROOT_PATHS. */
export function prefixRoutes(app: INestApplication): void {
  app.setGlobalPrefix(API_PREFIX, { exclude: ROOT_PATHS });
}
