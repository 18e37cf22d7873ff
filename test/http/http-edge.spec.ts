import {
  Body,
  Controller,
  Get,
  type INestApplication,
  Module,
  Param,
  Post,
  Query,
  UploadedFile,
  UseInterceptors,
} from '@nestjs/common';
import { FileInterceptor, type NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { pino } from 'pino';
import request from 'supertest';
import { DomainError } from '../../src/kernel/domain-error';
import { NestLogger } from '../../src/infra/logging/nest-logger';
import { Public } from '../../src/infra/http/access/access.decorators';
import { configureHttp } from '../../src/infra/http/configure-http';
import { PageQueryDto } from '../../src/infra/http/lists/page.dto';
import { JsonBody, MultipartBody } from '../../src/infra/http/bodies/request-body';
import { ResourceIdPipe } from '../../src/infra/http/validation/resource-id.pipe';
import { RouteAccessCheck } from '../../src/infra/http/access/route-access-check';
import { UnknownRoutes } from '../../src/infra/http/edge/unknown-routes';
import { DiscoveryModule } from '@nestjs/core';

class PartDto {
  @ApiProperty({ example: 'Ana' })
  @IsString()
  text: string;
}

class OrderDto {
  @ApiProperty({ example: '4915112345678' })
  @IsString()
  @MaxLength(5)
  to: string;

  @ApiProperty({ type: [PartDto] })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(200)
  @ValidateNested({ each: true })
  @Type(() => PartDto)
  parts?: PartDto[];
}

class LargeOrderDto {
  @ApiProperty({ type: [PartDto] })
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => PartDto)
  parts: PartDto[];
}

class AvailableLanguages extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'template_language_not_found';
  override readonly extra = { availableLanguages: ['de'] };
}

class ThingNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'thing_not_found';

  constructor() {
    super('There is no thing with this id.');
  }
}

@Public()
@Controller('things')
class ThingsController {
  @Post()
  create(@Body() body: OrderDto): object {
    return body;
  }

  @Post('large')
  @JsonBody({ maxBytes: 1_100_000, maxValues: 5_000 })
  createLarge(@Body() body: LargeOrderDto): object {
    return { parts: body.parts.length };
  }

  @Post('file')
  @MultipartBody()
  @UseInterceptors(FileInterceptor('file', { limits: { fileSize: 10 } }))
  upload(@UploadedFile() file?: Express.Multer.File): object {
    return { size: file?.size ?? null };
  }

  @Get()
  list(@Query() query: PageQueryDto): object {
    return { ...query };
  }

  @Get('error/:kind')
  error(@Param('kind') kind: string): never {
    if (kind === 'domain') throw new AvailableLanguages('Use one of the languages.');
    if (kind === 'database')
      throw Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { code: 'ECONNREFUSED' });
    if (kind === 'pool') throw new Error('timeout exceeded when trying to connect');
    throw new Error('secret SELECT * FROM api_keys');
  }

  @Get(':thingId')
  one(@Param('thingId', new ResourceIdPipe(ThingNotFoundError)) id: string): object {
    return { id };
  }
}

@Module({ imports: [DiscoveryModule], controllers: [ThingsController], providers: [RouteAccessCheck, UnknownRoutes] })
class ThingsModule {}

const THINGS = '/api/v1/messaging/things';

describe('the HTTP edge', () => {
  let app: INestApplication;
  const http = () => request(app.getHttpServer());

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [ThingsModule] }).compile();
    const logger = pino({ level: 'silent' });
    const nest = module.createNestApplication<NestExpressApplication>({
      bodyParser: false,
      logger: new NestLogger(logger),
    });
    configureHttp(nest, { maxFileBytes: 10, logger });
    app = await nest.init();
  });
  afterAll(() => app.close());

  describe('request ids', () => {
    it('echoes a well-formed id, in the header and in the error body', async () => {
      const answer = await http().get('/nowhere').set('X-Request-Id', 'abc-DEF_123');
      expect(answer.headers['x-request-id']).toBe('abc-DEF_123');
      expect(answer.body.requestId).toBe('abc-DEF_123');
    });

    it.each(['has space', 'a'.repeat(65), 'semi;colon'])('generates an id instead of %p', async (given) => {
      const answer = await http().get(THINGS).set('X-Request-Id', given);
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    });
  });

  describe('error bodies', () => {
    it.each(['/nowhere', '/api/v1/messaging/nowhere', '/api/v1/messaging/things/%zz', '/%ff'])(
      'answers %s with 404 route_not_found',
      async (path) => {
        const answer = await http().get(path);
        expect(answer.status).toBe(404);
        expect(answer.body).toMatchObject({ error: 'Not Found', statusCode: 404, code: 'route_not_found' });
        expect(typeof answer.body.message).toBe('string');
      },
    );

    it('returns 405 for another method of a known path, with the allowed ones', async () => {
      const answer = await http().delete(THINGS).expect(405);
      expect(answer.body).toMatchObject({ error: 'Method Not Allowed', code: 'method_not_allowed' });
      const { allow } = answer.headers;
      await http().get(THINGS).expect(200);
      expect(allow?.split(', ')).toContain('GET');
      expect(answer.body.message).toContain('GET');
    });

    it('returns a domain error with its extra fields', async () => {
      const answer = await http().get(`${THINGS}/error/domain`).expect(404);
      expect(answer.body).toMatchObject({
        error: 'Not Found',
        message: 'Use one of the languages.',
        code: 'template_language_not_found',
        availableLanguages: ['de'],
      });
    });

    it.each(['database', 'pool'])(
      'answers 503 with Retry-After if the %s is unreachable, and names no host',
      async (kind) => {
        const answer = await http().get(`${THINGS}/error/${kind}`).expect(503);
        expect(answer.body).toMatchObject({ error: 'Service Unavailable', code: 'service_unavailable' });
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
        expect(answer.text).not.toContain('10.1.2.3');
      },
    );

    it('reveals nothing internal about an unknown error', async () => {
      const answer = await http().get(`${THINGS}/error/other`).expect(500);
      expect(answer.body).toMatchObject({ error: 'Internal Server Error', code: 'internal_error', statusCode: 500 });
      expect(answer.text).not.toContain('SELECT');
    });

    it('treats an id that is not a UUID as unknown', async () => {
      for (const id of ['42', '%00', 'null']) {
        expect((await http().get(`${THINGS}/${id}`).expect(404)).body.code).toBe('thing_not_found');
      }
      await http()
        .get(`${THINGS}/0199D1B5-7C1E-7A40-8F3B-2F4F5D0C9A11`)
        .expect(200, { id: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11' });
    });
  });

  describe('JSON bodies', () => {
    const post = (body: string, type = 'application/json') => http().post(THINGS).set('Content-Type', type).send(body);

    it.each([
      ...['{"to":', '{"to":"1",}', 'to=1', '\u0000'].map((body) => [body, 'valid JSON']),
      ...['"text"', '5', 'null'].map((body) => [body, 'a JSON object']),
    ])('rejects %p as malformed: not %s', async (body, what) => {
      const message = `The body is not ${what}. Send one JSON object, encoded as UTF-8.`;
      expect((await post(body).expect(400)).body).toMatchObject({ code: 'malformed_json', message });
    });

    it('lists all field errors at once, in field order, unknown fields last', async () => {
      const answer = await post('{"extra":1,"parts":[{"text":"a"},{"text":7,"more":1},3],"to":"123456"}').expect(400);
      expect(answer.body.code).toBe('validation_failed');
      expect(answer.body.errors).toEqual([
        { field: 'to', code: 'too_long', message: 'to must be shorter than or equal to 5 characters.' },
        { field: 'parts[1].text', code: 'wrong_type', message: 'parts[1].text must be a string.' },
        expect.objectContaining({ field: 'parts[2]', code: 'wrong_type' }),
        { field: 'extra', code: 'unknown_field', message: 'extra is not a field of this request. Remove it.' },
        {
          field: 'parts[1].more',
          code: 'unknown_field',
          message: 'parts[1].more is not a field of this request. Remove it.',
        },
      ]);
    });

    it('suggests the field for a misspelled name', async () => {
      const { body } = await post('{"TO":"1","to":"1","parts":[{"_text":"a"}]}').expect(400);
      expect(body.errors).toEqual([
        expect.objectContaining({ field: 'parts[0].text' }),
        expect.objectContaining({ field: 'TO', message: 'TO is not a field of this request. Remove it.' }),
        expect.objectContaining({
          field: 'parts[0]._text',
          message: 'parts[0]._text is not a field of this request. Did you mean parts[0].text?',
        }),
      ]);
    });

    it('lists at most 100 errors', async () => {
      const parts = Array.from({ length: 150 }, () => ({}));
      const { body } = await post(JSON.stringify({ to: '1', parts })).expect(400);
      expect(body.errors).toHaveLength(100);
      expect(body.message).toContain('150');
    });

    it.each(['', '{}'])('names the required fields of the body %p', async (body) => {
      expect((await post(body).expect(400)).body.errors).toEqual([
        { field: 'to', code: 'required', message: 'to is required.' },
      ]);
    });

    it.each(['[]', '[{"to":"1"}]'])('rejects the array %s', async (body) => {
      expect((await post(body).expect(400)).body.errors).toEqual([
        expect.objectContaining({ field: 'body', code: 'wrong_type' }),
      ]);
    });

    it.each([
      ['NUL', '{"to":"a\\u0000b"}', 'to', 'invalid_characters'],
      ['half of a character', '{"to":"a\\ud800"}', 'to', 'invalid_characters'],
      ['half of a character in a name', '{"to":"1","a\\udc00":1}', 'a\ufffd', 'invalid_characters'],
      ['a name that objects inherit', '{"to":"1","toString":1}', 'toString', 'unknown_field'],
      ['their constructor', '{"to":"1","constructor":{"name":"x"}}', 'constructor', 'unknown_field'],
      ['a prototype', '{"to":"1","__proto__":{"parts":[]}}', '__proto__', 'unknown_field'],
      ['their prototype', '{"to":"1","parts":[{"text":"a","__proto__":{}}]}', 'parts[0].__proto__', 'unknown_field'],
      ['deep nesting', `{"to":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, expect.stringMatching(/^to/), 'too_deep'],
    ])('rejects %s, which no field accepts', async (_, body, field, code) => {
      expect((await post(body).expect(400)).body.errors).toEqual([expect.objectContaining({ field, code })]);
    });

    it('accepts only UTF-8 text, declared or not', async () => {
      const send = http().post(THINGS).set('Content-Type', 'application/json');
      send.write(Buffer.from('{"to":"Jürg"}', 'latin1'));
      const answer = await send;
      expect([answer.status, answer.body.code]).toEqual([400, 'malformed_json']);
      for (const type of ['application/json', 'application/json; charset=utf-8']) {
        await post('{"to":"Jürg"}', type).expect(201, { to: 'Jürg' });
      }
    });

    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'application/jsonp',
      'multipart/form-data; boundary=x',
    ])('answers 415 to %s', async (type) => {
      const { body } = await post('{"to":"1"}', type).expect(415);
      expect(body).toMatchObject({ code: 'unsupported_media_type', message: expect.stringContaining('json') });
    });

    it('answers 413 to more than 64 KB, with and without a length', async () => {
      const body = JSON.stringify({ to: 'x'.repeat(65_536) });
      expect((await post(body).expect(413)).body).toMatchObject({ code: 'body_too_large', limit: 65_536 });
      const chunked = http().post(THINGS).set('Content-Type', 'application/json').set('Transfer-Encoding', 'chunked');
      chunked.write(body);
      expect((await chunked).body.code).toBe('body_too_large');
    });

    it('accepts more if the route allows it', async () => {
      const body = { parts: Array.from({ length: 1_000 }, () => ({ text: 'x'.repeat(100) })) };
      await http().post(`${THINGS}/large`).send(body).expect(201, { parts: 1_000 });
    });

    const list = (items: number, item: string) => `[${Array.from({ length: items }, () => item).join()}]`;

    it.each([
      ['a long list', `{"to":"1","parts":${list(30_000, '0')}}`, 'parts'],
      ['many lists', `{"to":"1","parts":${list(20, list(150, '{}'))}}`, 'body'],
      ['many fields', `{${Array.from({ length: 3_000 }, (_, n) => `"f${n}":0`).join()}}`, 'body'],
    ])('rejects %s before checking the items', async (_, body, field) => {
      expect((await post(body).expect(400)).body.errors).toEqual([
        expect.objectContaining({ field, code: 'too_many' }),
      ]);
    });

    it('stays responsive while rejecting lists that fill the largest body', async () => {
      const body = `{"to":"1","parts":${list(349_000, '{}')}}`;
      const before = process.cpuUsage();
      for (let n = 0; n < 5; n++) {
        const answer = await http().post(`${THINGS}/large`).set('Content-Type', 'application/json').send(body);
        expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
      }
      // Processor time, because wall time depends on other load.
      const busyMs = process.cpuUsage(before).user / 1000;
      expect(busyMs / 5).toBeLessThan(500);
    });
  });

  describe('queries', () => {
    it('fills in defaults and reads numbers', async () => {
      await http().get(THINGS).expect(200, { page: 1, pageSize: 20 });
      await http().get(`${THINGS}?page=2147483647&pageSize=100`).expect(200, { page: 2_147_483_647, pageSize: 100 });
    });

    const whole = 'must be a whole number from 1 to';
    it.each([
      ['page=0', 'page must not be less than 1'],
      ['page=-1', `page ${whole} 2147483647.`],
      ['page=1.5', `page ${whole} 2147483647.`],
      ['page=abc', `page ${whole} 2147483647.`],
      ['page=', `page ${whole} 2147483647.`],
      ['page=1&page=2', 'page is given twice. Send it once.'],
      ['pageSize=101', 'pageSize must not be greater than 100'],
      ['pageSize=0', 'pageSize must not be less than 1'],
      ['pageSize=0x10', `pageSize ${whole} 100.`],
      ['page=99999999999999999999', `page ${whole} 2147483647.`],
      ['foo=1', 'foo'],
      ['page[a]=1', 'page[a]'],
    ])('refuses ?%s', async (query, message) => {
      const answer = await http().get(`${THINGS}?${query}`).expect(400);
      expect(answer.body.code).toBe('validation_failed');
      expect(answer.body.errors).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })]);
    });
  });

  describe('uploads', () => {
    it('answers 413 with the limit to an oversized file', async () => {
      const answer = await http().post(`${THINGS}/file`).attach('file', Buffer.alloc(11), 'a.csv').expect(413);
      expect(answer.body).toMatchObject({ code: 'file_too_large', limit: 10 });
    });

    it('names the field of a file in the wrong field', async () => {
      const answer = await http().post(`${THINGS}/file`).attach('document', Buffer.alloc(1), 'a.csv').expect(400);
      expect(answer.body.errors).toEqual([expect.objectContaining({ field: 'document', code: 'unknown_field' })]);
    });

    it('answers 400 to a truncated multipart body or one without boundary', async () => {
      const cut = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nabc';
      for (const type of ['multipart/form-data; boundary=x', 'multipart/form-data']) {
        const answer = await http().post(`${THINGS}/file`).set('Content-Type', type).send(cut);
        expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
      }
    });

    it('answers 400 to a part with a malformed header', async () => {
      const head = 'Content-Disposition: form-data; name="file"; filename="a\0b.csv"';
      const send = http().post(`${THINGS}/file`).set('Content-Type', 'multipart/form-data; boundary=x');
      const answer = await send.send(`--x\r\n${head}\r\n\r\nabc\r\n--x--\r\n`);
      expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    });

    it('answers 415 to a compressed multipart body', async () => {
      const send = http().post(`${THINGS}/file`).set('Content-Encoding', 'gzip');
      const answer = await send.attach('file', Buffer.alloc(1), 'a.csv');
      expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
    });

    it('answers 415 to JSON instead of a file, and passes an empty request to the handler', async () => {
      expect((await http().post(`${THINGS}/file`).send({ a: 1 }).expect(415)).body.code).toBe('unsupported_media_type');
      await http().post(`${THINGS}/file`).expect(201, { size: null });
    });
  });
});
