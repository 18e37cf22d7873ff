import { get as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Controller, Get, Module, Param } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import request from 'supertest';
import { Public } from '../../src/infra/http/access/access.decorators';
import { configureHttp } from '../../src/infra/http/configure-http';
import { Shutdown } from '../../src/infra/lifecycle/shutdown';
import { HealthChecks } from '../../src/infra/health/health-checks';
import { HealthController } from '../../src/infra/health/health.controller';
import { HealthMetrics } from '../../src/infra/metrics/health-metrics';
import { HttpMetrics } from '../../src/infra/metrics/http-metrics';
import { MetricsController } from '../../src/infra/metrics/metrics.controller';

@Controller('things')
@Public()
class ThingsController {
  @Get(':thingId')
  one(@Param('thingId') id: string): object {
    return { id };
  }
}

@Module({
  controllers: [ThingsController, HealthController, MetricsController],
  providers: [HealthChecks, HealthMetrics, HttpMetrics, Shutdown, { provide: Registry, useValue: new Registry() }],
})
class OperationsModule {}

describe('health and metrics over HTTP', () => {
  let app: NestExpressApplication;
  let databaseThere = true;
  const http = () => request(app.getHttpServer());

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [OperationsModule] }).compile();
    app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(app, {
      maxFileBytes: 1,
      logger: pino({ level: 'silent' }),
      metrics: app.get(HttpMetrics),
      shutdown: app.get(Shutdown),
    });
    app.get(HealthChecks).register(
      {
        name: 'database',
        required: true,
        check: () => (databaseThere ? { ok: true } : { ok: false, reason: 'ECONNREFUSED' }),
      },
      { name: 'redis', required: false, check: () => ({ ok: false, reason: 'not connected' }) },
    );
    await app.listen(0, '127.0.0.1');
  });

  afterAll(() => app.close());

  it('are ready, and list missing optional parts', async () => {
    const { status, body } = await http().get('/health/ready');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'ready',
      degraded: true,
      checks: [
        { name: 'database', ok: true, required: true, reason: null },
        { name: 'redis', ok: false, required: false, reason: 'not connected' },
      ],
    });
  });

  it('return 503 with the reason while a required part is unavailable, and stay live', async () => {
    databaseThere = false;
    const ready = await http().get('/health/ready');
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({
      status: 'not_ready',
      checks: [{ name: 'database', reason: 'ECONNREFUSED' }, {}],
    });
    expect((await http().get('/metrics')).text).toContain('messaging_health_check_ok{check="database"} 0');
    expect((await http().get('/health/live')).status).toBe(200);
    databaseThere = true;
    expect((await http().get('/metrics')).text).toContain('messaging_health_check_ok{check="database"} 1');
  });

  it('count requests by the declared route, never by the requested path', async () => {
    await http().get('/api/v1/messaging/things/0199d1b5');
    await http().get('/api/v1/messaging/things/49151123');
    await http().get('/made/up/4915112345678');
    await http().delete('/api/v1/messaging/made-up');
    const { text, headers } = await http().get('/metrics');
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(text).toContain(
      'messaging_http_request_duration_seconds_count{method="GET",route="/api/v1/messaging/things/:thingId",status="200"} 2',
    );
    expect(text).toContain('messaging_http_request_duration_seconds_count{method="any",route="none",status="404"} 2');
    expect(text).not.toMatch(/0199d1b5|4915112345678|made/);
  });

  it.each(['/METRICS', '/metrics/', '/Metrics?a=b', '/health/READY', '/health/live/'])(
    'are served at one spelling of their path, not at %s',
    async (path) => {
      const { status, body } = await http().get(path);
      expect([status, body.code]).toEqual([404, 'route_not_found']);
    },
  );

  it('are not served to a request with an absolute URL', async () => {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const answer = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        send({ port, path, host: '127.0.0.1' }, (response) => resolve(response.resume().statusCode)).once(
          'error',
          reject,
        );
      });
    expect(await answer(`http://127.0.0.1:${port}/metrics`)).toBe(404);
    expect(await answer('/metrics')).toBe(200);
  });

  /** Number of started and ended requests. */
  async function ended(): Promise<number> {
    const { text } = await http().get('/metrics');
    const counts = [...text.matchAll(/^messaging_http_request_duration_seconds_count\{.*\} (\d+)$/gm)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  }

  it('cost no more when pipelined: the connection ends', async () => {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const before = await ended();
    socket.pause().write('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(800));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await ended()) - before).toBeLessThanOrEqual(2);
    socket.destroy();
  });

  it('close connections while the process drains, without other changes', async () => {
    const path = '/api/v1/messaging/things/1';
    expect((await http().get(path).set('Connection', 'keep-alive')).headers.connection).toBe('keep-alive');
    app.get(Shutdown).drain();
    const { status, headers } = await http().get(path).set('Connection', 'keep-alive');
    expect([status, headers.connection]).toEqual([200, 'close']);
  });

  it('are completed while new requests are rejected as retryable', async () => {
    app.get(Shutdown).begin();
    const refused = await http().get('/api/v1/messaging/things/1');
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({ code: 'service_unavailable', statusCode: 503 });
    expect(refused.headers).toMatchObject({ 'retry-after': '5', connection: 'close' });
    expect((await http().get('/health/live')).status).toBe(200);
    expect((await http().get('/metrics')).status).toBe(200);
  });
});
