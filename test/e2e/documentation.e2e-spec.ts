import { version } from '../../package.json';
import { Client, type Json } from '../support/process/client';
import { type Service, startService } from '../support/process/service';

interface Operation {
  summary?: string;
  security?: object[];
  parameters?: { name: string; schema: object }[];
  requestBody?: { content: Record<string, { example?: object; examples?: Record<string, { value: object }> }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

const ENDPOINTS = [
  ['get', '/templates', '200'],
  ['post', '/send-template', '201'],
  ['post', '/bulk-import-messages', '202'],
  ['post', '/send-template-to-group', '202'],
  ['get', '/bulk-jobs/{jobId}/status', '200'],
  ['get', '/bulk-jobs', '200'],
] as const;

/** What the page shows of the target of its requests. */
async function pageOf({ url }: Service) {
  const { servers } = (await (await fetch(`${url}/docs-json`)).json()) as { servers: object[] };
  const script = await (await fetch(`${url}/docs/swagger-ui-init.js`)).text();
  return { servers, opensForms: script.includes('"tryItOutEnabled": true') };
}

describe('Health and documentation', () => {
  let service: Service;
  let document: { openapi: string; paths: Record<string, Record<string, Operation>>; components: Json };

  beforeAll(async () => {
    service = await startService();
    document = (await (await fetch(`${service.url}/docs-json`)).json()) as typeof document;
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
  });

  it('reports liveness and readiness without a key', async () => {
    const live = await fetch(`${service.url}/health/live`);
    const ready = await fetch(`${service.url}/health/ready`);

    expect([live.status, await live.json()]).toEqual([200, { status: 'ok', version }]);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({
      status: 'ready',
      checks: expect.arrayContaining([expect.objectContaining({ name: 'database', ok: true, reason: null })]),
    });
  });

  it('serves Swagger UI with all its files', async () => {
    const page = await fetch(`${service.url}/docs`);
    const html = await page.text();

    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    const files = [...html.matchAll(/(?:src|href)="\.?\/?(docs\/[^"]+|[^":]+\.(?:js|css))"/g)].map(([, file]) => file);
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const file of files) expect([file, (await fetch(`${service.url}/${file}`)).status]).toEqual([file, 200]);
    const bundle = await fetch(`${service.url}/docs/swagger-ui-bundle.js`);
    expect(bundle.headers.get('content-encoding')).toBe('gzip');
    expect(bundle.headers.get('content-type')).toContain('javascript');
    for (const other of ['swagger-ui-bundle.js.map', 'package.json', 'swagger-ui-es-bundle.js']) {
      expect((await fetch(`${service.url}/docs/${other}`)).status).toBe(404);
    }
  });

  it('says that a sandbox reaches nobody, and opens the forms', async () => {
    expect(await pageOf(service)).toEqual({
      servers: [{ url: '/', description: 'This server. It sends to a sandbox: messages reach nobody.' }],
      opensForms: true,
    });
  });

  it('names the platform that real messages go through, and opens a form only on request', async () => {
    const secrets = ['ACCESS_TOKEN', 'PHONE_NUMBER_ID', 'BUSINESS_ACCOUNT_ID', 'APP_SECRET', 'WEBHOOK_VERIFY_TOKEN'];
    const real = await startService({
      // Nothing listens there: the page needs no platform.
      platformUrl: 'https://127.0.0.1:1',
      env: Object.fromEntries(secrets.map((name, index) => [`PLATFORM_${name}`, `70000000000000${index}`])),
    });
    try {
      expect(await pageOf(real)).toEqual({
        servers: [{ url: '/', description: expect.stringMatching(/sends through 127.0.0.1:1: .* real messages/) }],
        opensForms: false,
      });
    } finally {
      await real.stop();
      await real.store.drop();
    }
  });

  it('stores no key in the browser, and is served in one format', async () => {
    const script = await (await fetch(`${service.url}/docs/swagger-ui-init.js`)).text();

    expect(script).toMatch(/"persistAuthorization": false/);
    // The page loads the API document, of which there is one copy.
    expect(script).toMatch(/"url": "\/docs-json"/);
    expect(script.length).toBeLessThan(5000);
    expect((await fetch(`${service.url}/docs-yaml`)).status).toBe(404);
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('is sent to clients that accept %s as prepared, and once', async (accepted, encoding) => {
    const get = (headers: Record<string, string> = {}) =>
      fetch(`${service.url}/docs-json`, {
        headers: { 'accept-encoding': accepted, 'cache-control': 'max-age=0', ...headers },
      });
    const answer = await get();
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toContain('Accept-Encoding');
    expect(await answer.json()).toEqual(document);
    const etag = answer.headers.get('etag')!;
    expect((await get({ 'if-none-match': etag })).status).toBe(304);
  });

  it('is an OpenAPI 3.1 document', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.components.securitySchemes).toEqual({
      'api-key': expect.objectContaining({ type: 'apiKey', in: 'header', name: 'X-API-Key' }),
    });
  });

  it.each(ENDPOINTS)('describes %s %s with its responses and errors', (method, path, success) => {
    const operation = document.paths[`/api/v1/messaging${path}`]?.[method];

    expect(operation?.summary).toMatch(/\w+/);
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining([success, '401', '403', '429']));
    expect(operation?.responses[success]?.content).toHaveProperty(['application/json']);
    expect(operation?.security).toEqual([{ 'api-key': [] }]);
  });

  it('has no dangling references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name,
    );

    expect(references.length).toBeGreaterThan(20);
    expect(Object.keys(document.components.schemas as object)).toEqual(
      expect.arrayContaining([...new Set(references)]),
    );
  });

  it('describes requests whose example bodies work unchanged', async () => {
    const client = new Client(service);
    const answers: [string, number][] = [];
    for (const [path, methods] of Object.entries(document.paths)) {
      // Their paths contain a group or another resource, which must exist.
      if (path.includes('{') || path.endsWith('/send-template-to-group')) continue;
      for (const [method, { requestBody }] of Object.entries(methods)) {
        const json = requestBody?.content['application/json'];
        if (!json) continue;
        const bodies = json.examples ? Object.values(json.examples).map(({ value }) => value) : [json.example];
        for (const body of bodies) {
          const { status } = await client.call(method.toUpperCase(), path.replace('/api/v1/messaging', ''), { body });
          answers.push([`${method} ${path}`, status]);
        }
      }
    }

    expect(answers.length).toBeGreaterThan(12);
    expect(answers.filter(([, status]) => status >= 300)).toEqual([]);
  });

  it('pre-fills nothing that erases', () => {
    const erase = document.paths['/api/v1/messaging/contacts/{contactId}']?.delete?.parameters?.find(
      ({ name }) => name === 'erase',
    );
    expect(erase?.schema).toMatchObject({ example: 'false', default: 'false' });
  });
});
