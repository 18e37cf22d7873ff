import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { Type } from 'class-transformer';
import { IsArray, IsString, ValidateNested } from 'class-validator';
import type { NextFunction, Response } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import type { ApiRequest } from '../../src/infra/http/api-request';
import { Public } from '../../src/infra/http/access/access.decorators';
import { JsonBody } from '../../src/infra/http/bodies/request-body';
import { LongList } from '../../src/infra/http/validation/long-list.decorator';
import { LargeBodies, SMALL_BODY_BYTES } from '../../src/infra/http/bodies/large-bodies';
import { configureHttp } from '../../src/infra/http/configure-http';
import type { Caller } from '../../src/kernel/caller';

class NoteDto {
  @IsString()
  text: string;
}

class NotesDto {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => NoteDto)
  @LongList()
  notes: NoteDto[];
}

let isBusy: Promise<void> | undefined;

@Public()
@Controller('notes')
class NotesController {
  @Get()
  list(): object {
    return {};
  }

  @Post()
  @JsonBody({ maxBytes: 4 * SMALL_BODY_BYTES, maxValues: 10 })
  async create(@Body() { text }: NoteDto): Promise<object> {
    await isBusy;
    return { length: text.length };
  }

  @Post('list')
  @JsonBody({ maxBytes: SMALL_BODY_BYTES, maxValues: 10_000 })
  createAll(@Body() { notes }: NotesDto): object {
    return { first: notes[0], length: notes.length, last: notes.at(-1) };
  }
}

@Module({ controllers: [NotesController] })
class NotesModule {}

const LARGE = JSON.stringify({ text: 'x'.repeat(2 * SMALL_BODY_BYTES) });
const STALL_MS = 500;

interface Answer {
  status: number | undefined;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

describe('JSON bodies of more than 1 MB', () => {
  let app: NestExpressApplication;
  const agents: Agent[] = [];

  async function start(ms: number): Promise<void> {
    isBusy = undefined;
    const module = await Test.createTestingModule({ imports: [NotesModule] }).compile();
    app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    const bodies = new LargeBodies({ slots: 3, perAccount: 2, waitMs: 100 }, { ms, minBytes: 1000 });
    configureHttp(app, { maxFileBytes: 10, logger: pino({ level: 'silent' }) }, bodies);
    app.use((incoming: ApiRequest, _: Response, next: NextFunction) => {
      incoming.caller = { accountId: String(incoming.headers['x-account']) } as Caller;
      next();
    });
    await app.listen(0, '127.0.0.1');
  }

  async function stop(): Promise<void> {
    for (const agent of agents.splice(0)) agent.destroy();
    app.getHttpServer().closeAllConnections();
    await app.close();
  }

  beforeEach(() => start(60_000));
  afterEach(stop);

  /** Starts a request; without a `length`, its body is chunked. */
  function begin(account: string, length?: number, agent = new Agent({ keepAlive: true, maxSockets: 1 })) {
    agents.push(agent);
    const { port } = app.getHttpServer().address() as AddressInfo;
    const headers = { 'content-type': 'application/json', 'x-account': account };
    const sending = httpRequest({
      ...{ port, host: '127.0.0.1', method: 'POST', path: '/api/v1/messaging/notes', agent },
      headers: length === undefined ? headers : { ...headers, 'content-length': length },
    });
    sending.on('error', () => undefined);
    const answer = once(sending, 'response').then(async ([response]): Promise<Answer> => {
      const { statusCode, headers } = response as IncomingMessage;
      return { status: statusCode, headers, body: JSON.parse(await text(response as IncomingMessage)) as never };
    });
    answer.catch(() => undefined);
    return { sending, answer };
  }

  /** A request of the account with an incomplete body. */
  function begun(account: string, length?: number) {
    const held = begin(account, length);
    held.sending.write(length === undefined ? LARGE.slice(0, SMALL_BODY_BYTES + 1) : '{');
    return held;
  }

  /** Occupies a slot with such a request until the returned function disconnects it. */
  function hold(account: string, length?: number): () => void {
    const { sending, answer } = begun(account, length);
    let disconnect = (): void => void sending.destroy();
    // On a busy machine another request may be faster, and this one is refused: it begins again.
    answer.then(
      () => (disconnect = hold(account, length)),
      () => undefined,
    );
    return () => disconnect();
  }

  function send(account: string, body = LARGE, agent?: Agent): Promise<Answer> {
    const { sending, answer } = begin(account, Buffer.byteLength(body), agent);
    sending.end(body);
    return answer;
  }

  async function sendUntil(account: string, status: number): Promise<Answer> {
    for (;;) {
      const answer = await send(account);
      if (answer.status === status) return answer;
    }
  }

  it.each([
    ['declared', LARGE.length],
    ['received', undefined],
  ])('are limited per account and in total when %s, and released by a disconnect', async (_, length) => {
    const held = [hold('A', length), hold('A', length)];
    const refused = await sendUntil('A', 503);
    expect(refused.body).toMatchObject({ code: 'service_unavailable' });
    expect(refused.headers).toMatchObject({ 'retry-after': '10' });
    expect(refused.headers.connection).not.toBe('close');
    expect((await send('A', '{"text":"small"}')).status).toBe(201);
    expect((await send('B')).status).toBe(201);
    held.push(hold('B', length));
    await sendUntil('C', 503);
    held[0]!();
    await sendUntil('C', 201);
    await sendUntil('A', 201);
  });

  it('are served after a rejected one on the same connection, whose rest is discarded', async () => {
    hold('A', LARGE.length);
    hold('A', LARGE.length);
    await sendUntil('A', 503);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const chunked = begin('A', undefined, agent);
    chunked.sending.write(LARGE.slice(0, -2));
    expect((await chunked.answer).status).toBe(503);
    const { socket } = chunked.sending;
    chunked.sending.end(LARGE.slice(-2));
    const next = begin('B', LARGE.length, agent);
    next.sending.end(LARGE);
    expect((await next.answer).status).toBe(201);
    expect(next.sending.socket).toBe(socket);
  });

  it.each([
    ['without a byte', 0],
    ['with some bytes only', 10],
  ])('are aborted after a while %s, and free their slot', async (_, bytes) => {
    await stop();
    await start(STALL_MS);
    const stalled = [begun('A', LARGE.length), begun('A')];
    const trickle = setInterval(() => {
      for (const { sending } of stalled) sending.write(' '.repeat(bytes));
    }, STALL_MS / 10);
    for (const { answer } of stalled) {
      const { status, headers, body } = await answer;
      expect([status, headers.connection, body.code]).toEqual([400, 'close', 'upload_stalled']);
    }
    clearInterval(trickle);
    expect((await send('A')).status).toBe(201);
  });

  it('keep their slot until the response, and release it after success and errors', async () => {
    let finish = (): void => undefined;
    isBusy = new Promise((resolve) => (finish = resolve));
    const busy = [send('A'), send('A')];
    await sendUntil('A', 503);
    finish();
    for (const answer of busy) expect((await answer).status).toBe(201);
    for (const body of [`{"text":${'1'.repeat(LARGE.length)}}`, LARGE.slice(0, -1), `${LARGE.slice(0, -1)},"a":1}`]) {
      for (let n = 0; n < 4; n++) expect((await send('A', body)).status).toBe(400);
    }
    expect((await send('A')).status).toBe(201);
  });

  it('of a long list are validated in parts, with the same result', async () => {
    const notes = Array.from({ length: 1_000 }, (_, index): object => ({ text: String(index) }));
    const send = (body: object) => request(app.getHttpServer()).post('/api/v1/messaging/notes/list').send(body);
    await send({ notes }).expect(201, { first: { text: '0' }, length: 1_000, last: { text: '999' } });
    for (const index of [49, 50, 999]) notes[index] = { text: index };
    notes[120] = { text: 'x', more: 1 };
    const { body } = await send({ extra: 1, notes }).expect(400);
    expect((body.errors as { field: string; code: string }[]).map(({ field, code }) => [field, code])).toEqual([
      ['notes[49].text', 'wrong_type'],
      ['notes[50].text', 'wrong_type'],
      ['notes[999].text', 'wrong_type'],
      ['extra', 'unknown_field'],
      ['notes[120].more', 'unknown_field'],
    ]);
    const many = await send({ notes: notes.map((_, index) => ({ text: index })) }).expect(400);
    expect(many.body.errors).toHaveLength(100);
    // The rest is not validated: the errors of 20 MB would take 1 GB of memory.
    expect(many.body.message).toContain('all 100 errors');
    for (const wrong of [undefined, 'x', {}]) {
      expect((await send({ notes: wrong }).expect(400)).body.errors).toMatchObject([{ field: 'notes' }]);
    }
  });
});
