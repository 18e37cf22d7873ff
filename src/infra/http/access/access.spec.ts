import { Controller, Get, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { domainError } from '../../../kernel/domain-error';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { Public, RequireKey, RequireScope } from './access.decorators';
import { apiDocument } from '../openapi/api-document';
import { ApiErrors } from '../errors/api-errors.decorator';
import { ApiPageOf } from '../lists/api-lists.decorators';
import { MalformedJsonError } from '../errors/http.errors';
import { ErrorDto } from '../errors/error.dto';
import { RouteAccessCheck } from './route-access-check';

class ThingNotFoundError extends domainError({
  code: 'thing_not_found',
  kind: 'not_found',
  when: 'There is no such thing.',
  remedy: 'Look for another one.',
}) {}

@Controller('declared')
class DeclaredController {
  @Get('scope')
  @RequireScope('jobs:read')
  @ApiErrors(ThingNotFoundError, ValidationFailedError)
  @ApiErrors(MalformedJsonError, ValidationFailedError)
  @ApiPageOf(ErrorDto)
  scope(): object {
    return {};
  }

  @Get('key')
  @RequireKey()
  key(): object {
    return {};
  }
}

@Public()
@Controller('open')
class OpenController {
  @Get()
  open(): object {
    return {};
  }

  internal(): string {
    return 'no route';
  }
}

@Controller('forgotten')
class ForgottenController {
  @Get('one')
  one(): object {
    return {};
  }

  @Get('two')
  two(): object {
    return {};
  }
}

@Module({
  imports: [DiscoveryModule],
  providers: [RouteAccessCheck],
  controllers: [DeclaredController, OpenController],
})
class DeclaredModule {}

@Module({ imports: [DeclaredModule], controllers: [ForgottenController] })
class ForgottenModule {}

describe('The access of a route', () => {
  const start = async (module: new () => object) => {
    const app = (await Test.createTestingModule({ imports: [module] }).compile()).createNestApplication({
      logger: false,
    });
    await app.init();
    return app;
  };

  it('may be declared on the method or its class', async () => {
    const app = await start(DeclaredModule);
    await app.close();
  });

  it('must be declared: otherwise the service does not start, and lists the routes', async () => {
    await expect(start(ForgottenModule)).rejects.toThrow(
      /GET ForgottenController\.one, GET ForgottenController\.two\. Add @RequireScope/,
    );
  });

  it('cannot be declared twice', () => {
    expect(() => {
      class Twice {
        @Public()
        @RequireScope('jobs:read')
        route(): string {
          return '';
        }
      }
      return Twice;
    }).toThrow(/route declares its access twice/);
  });

  it('is in the OpenAPI document, with its errors and their examples', async () => {
    const app = await start(DeclaredModule);
    const document = apiDocument(app, { codes: {}, webhooks: {} });
    await app.close();
    const route = document.paths['/declared/scope']?.get;
    expect(route?.security).toEqual([{ 'api-key': [] }]);
    expect(route).toHaveProperty(['x-required-scope'], 'jobs:read');
    expect(Object.keys(route?.responses ?? {})).toEqual(['200', '400', '401', '403', '404', '429', '500', '503']);
    expect(route?.responses['403']).toMatchObject({
      description: expect.stringContaining('missing_scope'),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/ErrorDto' },
          examples: {
            missing_scope: { $ref: '#/components/examples/missing_scope' },
            account_suspended: {},
          },
        },
      },
    });
    expect(document.components?.examples?.missing_scope).toMatchObject({
      value: { error: 'Forbidden', statusCode: 403, requiredScope: 'messaging:send' },
    });
    expect(route?.responses['400']).toMatchObject({
      description: expect.stringMatching(/^`malformed_json`: [^`]+\n\n`validation_failed`: [^`]+$/),
      content: { 'application/json': { examples: { malformed_json: {}, validation_failed: {} } } },
    });
    expect(route?.responses['200']).toMatchObject({
      content: {
        'application/json': { schema: { required: ['items', 'page', 'pageSize', 'totalCount', 'totalPages'] } },
      },
    });
    expect(document.paths['/open']?.get?.security).toEqual([]);
  });
});
