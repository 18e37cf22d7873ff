import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { pino } from 'pino';
import request from 'supertest';
import { Public } from '../../src/infra/http/access/access.decorators';
import type { EdgeRequest } from '../../src/infra/http/api-request';
import { configureHttp } from '../../src/infra/http/configure-http';
import type { DirectRoute } from '../../src/infra/http/edge/direct-route';
import { BodyBudget } from '../../src/infra/http/bodies/body-budget';
import { readBytes } from '../../src/infra/http/bodies/read-bytes';
import { UnknownRoutes } from '../../src/infra/http/edge/unknown-routes';
import { Shutdown } from '../../src/infra/lifecycle/shutdown';

/** Returns the bytes of its body, at most 20. */
class BytesRoute implements DirectRoute {
  readonly path = '/bytes';

  async serve(request: EdgeRequest): Promise<string> {
    if (request.method === 'PUT') throw new Error('secret SELECT * FROM api_keys');
    return (await readBytes(request, 20, new BodyBudget(1_000_000))).toString('hex');
  }
}

@Public()
@Controller('things')
class ThingsController {
  @Get()
  list(): object {
    return {};
  }
}

@Module({ controllers: [ThingsController], providers: [UnknownRoutes] })
class ThingsModule {}

const THINGS = '/api/v1/messaging/things';

describe('a route without Express', () => {
  const shutdown = new Shutdown();
  let app: INestApplication;
  const http = () => request(app.getHttpServer());

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [ThingsModule] }).compile();
    const nest = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    const logger = pino({ level: 'silent' });
    configureHttp(nest, { maxFileBytes: 10, logger, direct: [new BytesRoute()], shutdown });
    app = await nest.init();
  });
  afterAll(() => app.close());

  const post = (bytes: number) => http().post('/bytes').send(Buffer.alloc(bytes, 1).toString());

  it('receives the bytes of its body, and serves every spelling of its path', async () => {
    await post(2).expect(200, '0101');
    await http().post('/bytes').expect(200, '');
    await http().post('/Bytes/?a=b').send('a').expect(200, '61');
    await http().post('/bytes/more').expect(404);
  });

  it('answers 413 to oversized bodies, with and without a length', async () => {
    expect((await post(21).expect(413)).body).toMatchObject({ code: 'body_too_large', limit: 20 });
    const chunked = http().post('/bytes').set('Transfer-Encoding', 'chunked');
    chunked.write('x'.repeat(10));
    chunked.write('x'.repeat(11));
    expect((await chunked).body).toMatchObject({ statusCode: 413, code: 'body_too_large' });
  });

  it('answers 415 to a compressed body', async () => {
    const answer = await http().post('/bytes').set('Content-Encoding', 'gzip').send('a');
    expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
  });

  it('has the headers, the request id and the error bodies of all routes', async () => {
    const direct = await post(1).set('X-Request-Id', 'abc');
    const routed = await http().get(THINGS).set('X-Request-Id', 'abc');
    const own = ['connection', 'content-length', 'content-type', 'date', 'etag', 'keep-alive'];
    const common = ({ headers }: request.Response) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)));
    expect(common(direct)).toEqual(common(routed));
    expect(common(direct)).toMatchObject({
      'x-request-id': 'abc',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'self'"),
    });
    const broken = await http().put('/bytes').set('X-Request-Id', 'abc').expect(500);
    expect(broken.body).toMatchObject({ code: 'internal_error', requestId: 'abc' });
    expect(broken.text).not.toContain('SELECT');
  });

  it('is rejected like every other while the process stops', async () => {
    shutdown.begin();
    for (const path of ['/bytes', THINGS]) {
      const answer = await http().post(path).send('a').expect(503);
      expect(answer.headers).toMatchObject({ connection: 'close', 'retry-after': '5' });
      expect(answer.body).toMatchObject({ code: 'service_unavailable', requestId: expect.any(String) });
    }
  });
});
