import { type AddressInfo, connect, type Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import {
  Controller,
  Get,
  type INestApplication,
  InternalServerErrorException,
  Logger,
  Module,
  Param,
  Post,
  UseInterceptors,
} from '@nestjs/common';
import { FileInterceptor, type NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { Public } from '../../src/infra/http/access/access.decorators';
import { MultipartBody } from '../../src/infra/http/bodies/request-body';
import { configureHttp } from '../../src/infra/http/configure-http';
import { Shutdown } from '../../src/infra/lifecycle/shutdown';
import { createLogger } from '../../src/infra/logging/logger';
import { NestLogger } from '../../src/infra/logging/nest-logger';
import { withoutPrivateParts, withoutPrivateText } from '../../src/infra/logging/private-text';

const PHONE = '4915112345678';
const KEY = `mta_1a2b3c4d_${'x'.repeat(43)}`;

@Public()
@Controller()
class LoggedController {
  private readonly logger = new Logger('Logged');

  @Get('opt-outs/:phone')
  read(@Param('phone') phone: string): object {
    this.logger.log(`Read ${phone} with ${KEY}`);
    return {};
  }

  @Get('broken')
  broken(): never {
    const error = new Error(`duplicate key (phone)=(${PHONE})`);
    throw Object.assign(error, { parameters: ['a private text'], detail: `Key (phone)=(${PHONE})` });
  }

  @Post('upload')
  @MultipartBody()
  @UseInterceptors(FileInterceptor('file'))
  upload(): object {
    return {};
  }

  @Get('refused')
  refused(): never {
    throw new InternalServerErrorException('inside');
  }
}

@Module({ controllers: [LoggedController] })
class LoggedModule {}

describe('the log', () => {
  let app: INestApplication;
  let lines: Record<string, unknown>[];
  let shutdown: Shutdown;

  beforeAll(async () => {
    const logger = createLogger('info', {
      write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    });
    lines = [];
    const module = await Test.createTestingModule({ imports: [LoggedModule] }).compile();
    const nest = module.createNestApplication<NestExpressApplication>({ bodyParser: false });
    nest.useLogger(new NestLogger(logger));
    shutdown = new Shutdown();
    configureHttp(nest, { maxFileBytes: 1, logger, shutdown });
    app = await nest.init();
  });
  beforeEach(() => (lines = []));
  afterAll(() => app.close());

  const get = async (path: string): Promise<void> => {
    await request(app.getHttpServer())
      .get(`/api/v1/messaging/${path}`)
      .set({ 'X-API-Key': KEY, 'X-Request-Id': '1234567890', Authorization: 'Bearer EAAG-token', Cookie: 'a=b' });
    // The line is written at the end of the response, a moment after the client receives it.
    while (!lines.some((line) => 'res' in line)) await new Promise(setImmediate);
  };

  it('logs the request, its id and its result', async () => {
    await get(`opt-outs/${PHONE}`);
    const line = lines.find((one) => 'res' in one);
    expect(line).toMatchObject({
      requestId: '1234567890',
      req: { method: 'GET', url: '/api/v1/messaging/opt-outs/****5678' },
      res: { statusCode: 200 },
      responseTime: expect.any(Number),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  });

  it('gives every line of a request its id', async () => {
    await get(`opt-outs/${PHONE}`);
    expect(lines).toHaveLength(2);
    expect(lines.map(({ requestId }) => requestId)).toEqual(['1234567890', '1234567890']);
  });

  it.each([
    ['opt-outs/4915112345678', 200, undefined],
    ['nowhere', 404, 'route_not_found'],
    ['broken', 500, 'internal_error'],
  ])('logs the code of an error, if any: %s', async (path, statusCode, errorCode) => {
    await get(path);
    const line = lines.find((one) => 'res' in one);
    expect([line?.res, line?.errorCode]).toEqual([{ statusCode }, errorCode]);
  });

  it.each([
    'opt-outs/4915112345678',
    'broken',
    'refused',
    'nowhere/%2B49%20151%2012345678?search=a+private+text&to=4915112345678',
  ])('contains no key, token, phone, query value or statement parameter after %s', async (path) => {
    await get(path);
    const written = JSON.stringify(lines);
    for (const secret of [PHONE, '12345678"', '151%2012345678', KEY, 'EAAG', 'a=b', 'private'])
      expect(written).not.toContain(secret);
  });

  it('contains the stack of an unknown error, once', async () => {
    await get('broken');
    const errors = lines.filter((line) => 'err' in line);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      context: 'Http',
      err: { message: 'duplicate key (phone)=(****5678)', stack: expect.stringContaining('logging.spec') },
    });
  });

  it('logs no error if a client disconnects during an upload', async () => {
    await app.listen(0, '127.0.0.1');
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const head =
      'POST /api/v1/messaging/upload HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n';
    const client = connect(port, '127.0.0.1', () =>
      client.write(`${head}--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc`),
    );
    await wait(100);
    client.destroy();
    while (!lines.some((line) => 'res' in line)) await wait(5);
    await wait(50);
    expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([]);
    expect(lines.find((line) => 'res' in line)).toMatchObject({ aborted: true });
  });

  it('contains no warning about requests that a stopping process rejects, of clients or the platform', async () => {
    jest.spyOn(shutdown, 'begun', 'get').mockReturnValue(true);
    await request(app.getHttpServer()).post('/webhooks/platform').send({}).expect(503);
    await get('broken');
    expect(lines).toEqual([
      expect.objectContaining({ level: 30, res: { statusCode: 503 }, errorCode: 'service_unavailable' }),
    ]);
    jest.restoreAllMocks();
  });

  it('hides secret fields of objects logged by mistake', () => {
    const logger = createLogger('info', {
      write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    });
    logger.info({ sender: { accessToken: 'EAAG', appSecret: 'hush', id: 'kept' }, phone: PHONE }, 'sender');
    expect(lines[0]).toMatchObject({ sender: { accessToken: '****', appSecret: '****', id: 'kept' }, phone: '****' });
    logger.info(
      { headers: { cookie: 'console=mtc', 'set-cookie': ['a'], 'set-cookie2': 'kept' }, cookie: 'x' },
      'headers',
    );
    expect(lines[1]).toMatchObject({
      headers: { cookie: '****', 'set-cookie': '****', 'set-cookie2': 'kept' },
      cookie: '****',
    });
  });
});

describe('texts for the log', () => {
  it.each([
    [`sent to ${PHONE}.`, 'sent to ****5678.'],
    [`sent to +${PHONE}`, 'sent to +****5678'],
    ['job 01900000-1234-7234-8234-123456789012 runs', 'job 01900000-1234-7234-8234-123456789012 runs'],
    ['waited 1234567 ms', 'waited 1234567 ms'],
    [`key ${KEY} failed`, 'key mta_**** failed'],
    [`session mtc_${'y'.repeat(43)} failed`, 'session mtc_**** failed'],
    ['business account 102290129340398', 'business account 102290129340398'],
    ['number id 1063540352242922', 'number id 1063540352242922'],
    ['migration Initial1790000000001', 'migration Initial1790000000001'],
    ['sent to 861234567890123', 'sent to ****0123'],
  ])('%s', (text, masked) => {
    expect(withoutPrivateText(text)).toBe(masked);
  });

  it.each([
    ['/opt-outs/+49%20151%2012345678', '/opt-outs/****5678'],
    ['/jobs/01900000-1234-7234-8234-123456789012/status', '/jobs/01900000-1234-7234-8234-123456789012/status'],
    ['/jobs?page=2&search=Ana&search=x', '/jobs?page&search'],
    ['/jobs?4915112345678=1', '/jobs?****5678'],
    ['/broken/%zz', '/broken/%zz'],
    ['/jobs?', '/jobs'],
  ])('%s', (url, masked) => {
    expect(withoutPrivateParts(url)).toBe(masked);
  });
});
