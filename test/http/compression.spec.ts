import { createHash } from 'node:crypto';
import { Controller, Get, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { pino } from 'pino';
import { Public } from '../../src/infra/http/access/access.decorators';
import { ShowsSecret } from '../../src/infra/http/access/shows-secret.decorator';
import { configureHttp } from '../../src/infra/http/configure-http';
import { API, BulkJobsApi, CSV } from '../support/bulk-jobs-api';
import { describeOnDatabase } from '../support/databases';

const hashes = (count: number) =>
  Array.from({ length: count }, (_, n) => createHash('sha256').update(String(n)).digest('hex'));

@Public()
@Controller('values')
class ValuesController {
  @Get('few')
  few(): object {
    return hashes(10);
  }

  @Get('many')
  many(): object {
    return hashes(2_000);
  }

  @Get('secret')
  @ShowsSecret()
  secret(): object {
    return hashes(100);
  }
}

@Module({ imports: [DiscoveryModule], controllers: [ValuesController] })
class ValuesModule {}

describe('Compressed JSON', () => {
  let app: NestExpressApplication;
  let url: string;

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [ValuesModule] }).compile();
    app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(app, { maxFileBytes: 10, logger: pino({ level: 'silent' }) });
    await app.listen(0, '127.0.0.1');
    url = `${await app.getUrl()}${API}/values`;
  });
  afterAll(() => app.close());

  const get = (path: string, encodings = 'gzip, deflate, br', headers = {}, method = 'GET') =>
    fetch(url + path, { method, headers: { 'accept-encoding': encodings, ...headers } });
  const shown = ({ status, headers }: Response) => [status, headers.get('content-encoding'), headers.get('vary')];

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
    ['zstd', null],
  ])('for %s is in %s', async (encodings, encoding) => {
    const response = await get('/many', encodings);
    expect(shown(response)).toEqual([200, encoding, 'Accept-Encoding']);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const length = Number(response.headers.get('content-length'));
    expect(await response.json()).toEqual(hashes(2_000));
    if (encoding) expect(length).toBeLessThan(100_000);
    else expect(length).toBe(JSON.stringify(hashes(2_000)).length);
  });

  it('is not a small response, or one that shows a secret', async () => {
    const few = await get('/few');
    expect(shown(few)).toEqual([200, null, null]);
    const secret = await get('/secret');
    expect(shown(secret)).toEqual([200, null, null]);
    expect(await secret.json()).toEqual(hashes(100));
  });

  it('has the headers of HEAD, and one ETag in all encodings', async () => {
    const response = await get('/many');
    const head = await get('/many', undefined, {}, 'HEAD');
    expect(shown(head)).toEqual(shown(response));
    for (const name of ['content-length', 'content-type', 'etag']) {
      expect(head.headers.get(name)).toBe(response.headers.get(name));
    }
    expect(await head.text()).toBe('');
    const tag = response.headers.get('etag')!;
    expect(tag).toMatch(/^W\//);
    for (const encodings of ['br', 'gzip', 'identity']) {
      // Otherwise fetch adds `no-cache`, which asks for the whole response.
      const known = await get('/many', encodings, { 'if-none-match': tag, 'cache-control': 'max-age=0' });
      expect(shown(known)).toEqual([304, null, 'Accept-Encoding']);
      expect([known.headers.get('etag'), await known.text()]).toEqual([tag, '']);
    }
  });
});

describeOnDatabase('A list of jobs', (open) => {
  it('is compressed to a fraction', async () => {
    const api = new BulkJobsApi(await open());
    await api.start();
    await api.newAccount();
    await api.upload(CSV, {}).expect(202);
    await api.database.execute(`
      INSERT INTO bulk_jobs (id, account_id, sender_id, kind, status, template_name, language_code, revision_id, total_recipients)
      SELECT gen_random_uuid(), account_id, sender_id, kind, 'Completed', template_name, language_code, revision_id, 1
      FROM bulk_jobs, generate_series(1, 49)`);
    const plain = await api.get('/bulk-jobs?pageSize=50').set('accept-encoding', 'identity').expect(200);
    const packed = await api.get('/bulk-jobs?pageSize=50').set('accept-encoding', 'gzip').expect(200);
    expect((plain.body as { items: object[] }).items).toHaveLength(50);
    expect(packed.body).toEqual(plain.body);
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(Number(packed.headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']) / 5);
    await api.app.close();
  });
});
