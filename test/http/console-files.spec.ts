import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { Controller, Get, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { pino } from 'pino';
import request from 'supertest';
import { Public } from '../../src/infra/http/access/access.decorators';
import { configureHttp } from '../../src/infra/http/configure-http';
import { serveConsole } from '../../src/infra/http/edge/console-files';
import { UnknownRoutes } from '../../src/infra/http/edge/unknown-routes';

const PAGE = '<!doctype html><html lang="en"><title>Console</title></html>';
const SCRIPT = `/* ${'a'.repeat(2_000)} */`;

@Controller('console/session')
@Public()
class SessionController {
  @Get()
  get(): object {
    return { signedIn: true };
  }
}

@Module({ imports: [DiscoveryModule], controllers: [SessionController], providers: [UnknownRoutes] })
class FilesModule {}

describe('The files of the console', () => {
  let folder: string;
  let app: NestExpressApplication;
  const get = (path: string) => request(app.getHttpServer()).get(path);

  async function start(built: string, isSandbox = false): Promise<NestExpressApplication> {
    const module = await Test.createTestingModule({ imports: [FilesModule] }).compile();
    const nest = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(nest, { maxFileBytes: 10, logger: pino({ level: 'silent' }) });
    serveConsole(nest, built, isSandbox);
    await nest.listen(0, '127.0.0.1');
    return nest;
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-'));
    const files: Record<string, string | Buffer> = {
      'secret.txt': 'outside',
      'console/index.html': PAGE,
      'console/favicon.svg': '<svg/>',
      'console/.hidden': 'hidden',
      'console/assets/main-1A2B.js': SCRIPT,
      'console/assets/main-1A2B.js.gz': gzipSync(SCRIPT),
      'console/assets/main-1A2B.js.br': brotliCompressSync(SCRIPT),
      'console/assets/plain.css': 'a{}',
    };
    await mkdir(join(folder, 'console/assets'), { recursive: true });
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    app = await start(join(folder, 'console'));
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });

  /** Exactly this path, which clients would normalise. */
  async function raw(path: string, headers: Record<string, string> = {}) {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const answer = await new Promise<{ status?: number; headers: object; body: Buffer }>((done, fail) => {
      const sent = send({ port, path, headers, host: '127.0.0.1' }, (response) => {
        buffer(response).then((body) => done({ status: response.statusCode, headers: response.headers, body }), fail);
      });
      sent.once('error', fail).end();
    });
    return { ...answer, text: answer.body.toString() };
  }

  it.each(['/console', '/console/', '/console/jobs', '/console/jobs/1.5?status=Paused', '/console/sessions'])(
    'answer %s with the page, which caches must revalidate',
    async (path) => {
      const { text, headers } = await get(path).expect(200);
      expect(text).toBe(PAGE);
      expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
      const { headers: known } = await get(path).set('If-None-Match', headers.etag!).expect(304);
      expect(known.etag).toBe(headers.etag);
    },
  );

  it('say on the page, and only there, that the platform is a sandbox', async () => {
    const sandbox = await start(join(folder, 'console'), true);
    try {
      const page = await request(sandbox.getHttpServer()).get('/console/jobs').expect(200);
      expect(page.text).toBe(PAGE.replace('<html', '<html data-sandbox'));
      expect(page.headers).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'no-cache' });
      expect(page.headers['content-security-policy']).toBe((await get('/console')).headers['content-security-policy']);
      expect(page.headers.etag).not.toBe((await get('/console')).headers.etag);
      await request(sandbox.getHttpServer()).get('/console').set('If-None-Match', page.headers.etag!).expect(304);
      const script = await request(sandbox.getHttpServer()).get('/console/assets/main-1A2B.js').expect(200);
      expect(script.text).toBe(SCRIPT);
    } finally {
      await sandbox.close();
    }
  });

  it("allow only the service's own files, no inline code and no eval", async () => {
    const { headers } = await get('/console').expect(200);
    const policy = headers['content-security-policy']!.split(';');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "require-trusted-types-for 'script'",
      ]),
    );
    expect(policy.join()).not.toMatch(/unsafe|\*|https?:/);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' });
  });

  it('with a hash in their name are immutable', async () => {
    const { text, headers } = await get('/console/assets/main-1A2B.js').set('Accept-Encoding', 'identity').expect(200);
    expect(text).toBe(SCRIPT);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(headers).not.toHaveProperty('content-encoding');
    expect((await get('/console/favicon.svg').expect(200)).headers['content-type']).toBe('image/svg+xml');
  });

  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=1, gzip;q=0.5', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip, br;q=0', 'gzip', gunzipSync],
  ] as const)('are served precompressed to clients that accept %s', async (accepted, encoding, unpack) => {
    const { status, headers, body } = await raw('/console/assets/main-1A2B.js', { 'accept-encoding': accepted });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(body.length),
    });
    expect(body.length).toBeLessThan(SCRIPT.length);
    expect(unpack(body).toString()).toBe(SCRIPT);
    const plain = await raw('/console/assets/plain.css', { 'accept-encoding': accepted });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(plain.text).toBe('a{}');
  });

  it('of another build are a 404, not the page', async () => {
    const { body, headers } = await get('/console/assets/main-0000.js').expect(404);
    expect(body.code).toBe('route_not_found');
    expect(headers['cache-control']).toBe('private, no-cache');
  });

  it.each([
    '/console/../secret.txt',
    '/console/..%2fsecret.txt',
    '/console/assets/..%2f..%2fsecret.txt',
    '/console/assets/../../secret.txt',
    '/console/%2e%2e/secret.txt',
    '/console/..\\secret.txt',
    '/console//secret.txt',
    '/console/secret.txt%00.js',
    '/console/.hidden',
    '/console/assets',
  ])('are all that is served: %s', async (path) => {
    const { status, text } = await raw(path);
    expect(text).not.toMatch(/^(outside|hidden)/);
    expect(status === 404 || text === PAGE).toBe(true);
  });

  it('leave the sign-in and other methods to the routes', async () => {
    expect((await get('/console/session').expect(200)).body).toEqual({ signedIn: true });
    const { body, headers } = await request(app.getHttpServer()).post('/console/session').expect(405);
    expect([body.code, headers.allow]).toEqual(['method_not_allowed', 'GET']);
    await request(app.getHttpServer()).post('/console/jobs').expect(404);
    await request(app.getHttpServer()).head('/console').expect(200);
  });

  it('are served to browsers at the root, and not to programs', async () => {
    const { headers } = await get('/').set('Accept', 'text/html,application/xhtml+xml,*/*;q=0.8').expect(302);
    expect(headers).toMatchObject({ location: '/console', vary: expect.stringContaining('Accept') });
    expect((await get('/').set('Accept', '*/*').expect(404)).body.code).toBe('route_not_found');
    await get('/').set('Accept', 'application/json').expect(404);
    await request(app.getHttpServer()).post('/').set('Accept', 'text/html').expect(404);
  });

  it('that were not built are a 404 with the remedy', async () => {
    const without = await start(join(folder, 'nowhere'));
    try {
      const { text, headers } = await request(without.getHttpServer()).get('/console/jobs').expect(404);
      expect(text).toContain('npm run build');
      expect(headers['content-type']).toContain('text/plain');
      await request(without.getHttpServer()).get('/console/session').expect(200);
    } finally {
      await without.close();
    }
  });
});
