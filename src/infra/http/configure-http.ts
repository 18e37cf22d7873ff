import type { INestApplication } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { API_PREFIX } from './api-prefix';
import { type EdgeOptions, standAtEdge } from './edge';
import { ErrorFilter } from './error.filter';
import { RequestBodyInterceptor } from './request-body';
import { RequestValidationPipe } from './request-validation.pipe';

/** Paths without the prefix. */
const ROOT_PATHS = ['health/live', 'health/ready', 'metrics', 'console/session'];

/**
 * Sets up everything around the controllers: the edge, the prefix, body reading, validation and the error bodies. The application
 * must be created with `bodyParser: false`, so that keys are checked first.
 */
export function configureHttp(app: NestExpressApplication, options: EdgeOptions): void {
  standAtEdge(app, options);
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  prefixRoutes(app);
  app.useGlobalPipes(new RequestValidationPipe());
  app.useGlobalInterceptors(new RequestBodyInterceptor(app.get(Reflector)));
  app.useGlobalFilters(new ErrorFilter(options.maxFileBytes));
}

/** Sets the prefix of all routes except ROOT_PATHS. */
export function prefixRoutes(app: INestApplication): void {
  app.setGlobalPrefix(API_PREFIX, { exclude: ROOT_PATHS });
}
