import { version } from '../../package.json';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as operations from '../../libs/client/generated/sdk.gen';
import { ended, listOf, phones } from '../support/process/bulk';
import { Client, type Json } from '../support/process/client';
import { Platform } from '../support/process/platform';
import { KEY, newStore, type Service, startService, type Store, until } from '../support/process/service';
import { freePort } from '../support/free-port';
import { FIRST_SENDER, postWebhook, reportOf, statusOf } from '../support/process/webhook';
import { type CollectedSpan, TraceCollector } from '../support/trace-collector';
import { WebhookReceiver } from '../support/webhook-receiver';

const PATIENCE_MS = 20_000;
const SECRET_HEADER = 'collector-secret-1234';
const TEXT = 'Words of one person only';
/** Reports on exit which packages of OpenTelemetry were loaded. */
const REPORTING = { NODE_OPTIONS: `--require ${join(__dirname, '../support/process/loaded-packages.cjs')}` };
const EVENTS = ['message.sent', 'message.delivered', 'message.received', 'job.completed'] as const;

/** A new trace of a client: the header, and its ids. */
function newTrace(flags = '01'): { traceId: string; spanId: string; headers: { traceparent: string } } {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
}

describe('Traces', () => {
  let platform: Platform;
  let collector: TraceCollector;
  let receiver: WebhookReceiver;
  let store: Store;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    [platform, collector, receiver, store] = await Promise.all([
      Platform.start(),
      new TraceCollector().start(),
      new WebhookReceiver().start(),
      newStore(),
    ]);
    const headers = join(dirname(store.dataDir), 'headers');
    await writeFile(headers, `authorization=${SECRET_HEADER}\n`);
    await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS_FILE: headers,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_SERVICE_NAME: 'messaging-of-the-test',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    });
    const body = { url: receiver.url, events: [...EVENTS] };
    await client.messaging().call(operations.createWebhookEndpoint, { body });
    await platform.subscribed();
  });

  afterAll(async () => {
    await service?.stop();
    await store?.drop();
    await Promise.all([platform?.close(), collector?.close(), receiver?.close()]);
  });

  async function start(env: Record<string, string>): Promise<void> {
    await service?.stop();
    const port = await freePort();
    const address = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, WEBHOOK_ALLOW_PRIVATE: 'true' };
    service = await startService({ store, platformUrl: platform.url, env: { ...address, ...env } });
    client = new Client(service);
  }

  /** Resolves once the collector has a matching span. */
  async function spanWith(name: string, matches: (span: CollectedSpan) => boolean): Promise<CollectedSpan> {
    const found = () => collector.spans.find((span) => span.name === name && matches(span));
    await until(() => Promise.resolve(found() !== undefined), PATIENCE_MS, `the span "${name}"`);
    return found()!;
  }
  const eventOf = async (type: string, matches: (data: Json) => boolean) => {
    const found = () =>
      receiver.received.find(({ body }) => {
        const event = JSON.parse(body);
        return event.type === type && matches(event.data);
      });
    await until(() => Promise.resolve(found() !== undefined), PATIENCE_MS, `the event ${type}`);
    return found()!.headers as unknown as Record<string, string>;
  };
  const send = (to: string, headers: Record<string, string> = {}) =>
    client.post('/send-template', { to, templateName: 'hello_world' }, { headers });
  const loadedPackages = (): string[] => {
    const report = service.log.find((line) => line.startsWith('Loaded packages:'))!;
    return report.split(': ')[1]!.split(' ').filter(Boolean);
  };
  const sentTo = async (to: string) => (await platform.ledger()).find((entry) => entry.to.replace('+', '') === to)!;

  it('lead from the request of a client to the call, the report of the platform and the event', async () => {
    const [to] = phones(1) as [string];
    const trace = newTrace();
    const answer = await send(to, trace.headers);
    const { messageId } = answer.body as { messageId: string };
    const requestId = answer.headers.get('x-request-id');
    expect((await client.get(`/messages/${messageId}`)).body).toMatchObject({ requestId, traceId: trace.traceId });

    const ofTrace = ({ traceId }: CollectedSpan) => traceId === trace.traceId;
    const request = await spanWith('POST /api/v1/messaging/send-template', ofTrace);
    expect(request).toMatchObject({
      parentId: trace.spanId,
      attributes: {
        'http.response.status_code': 201,
        'messaging.message.id': messageId,
        'messaging.request_id': requestId,
      },
      resource: {
        'service.name': 'messaging-of-the-test',
        'service.version': version,
        'deployment.environment.name': 'test',
      },
    });
    const call = await spanWith('platform POST /{id}/messages', ofTrace);
    expect(call).toMatchObject({ parentId: request.spanId, attributes: { 'http.response.status_code': 200 } });
    expect((await sentTo(to)).traceparent).toBe(`00-${trace.traceId}-${call.spanId}-01`);
    expect(await spanWith('receive reports', ofTrace)).toMatchObject({ parentId: request.spanId });
    const { traceparent } = await eventOf('message.delivered', (data) => data.messageId === messageId);
    const delivery = await spanWith('deliver event', (span) => ofTrace(span) && traceparent!.includes(span.spanId));
    expect(delivery).toMatchObject({ parentId: request.spanId, attributes: { 'http.response.status_code': 204 } });
    expect(traceparent).toBe(`00-${trace.traceId}-${delivery.spanId}-01`);
  });

  it('lead from a waiting message over its claim to the call', async () => {
    const [to] = phones(1, 50) as [string];
    await platform.configure({ faults: { throttle: 1 } });
    const trace = newTrace();
    expect((await send(to, trace.headers)).body).toMatchObject({ status: 'Queued' });
    await platform.configure({ faults: { throttle: 0 } });
    const ofTrace = ({ traceId }: CollectedSpan) => traceId === trace.traceId;
    const claim = await spanWith('claim message', ofTrace);
    const request = await spanWith('POST /api/v1/messaging/send-template', ofTrace);
    expect(claim.parentId).toBe(request.spanId);
    const call = await spanWith('platform POST /{id}/messages', (span) => ofTrace(span) && span.error === undefined);
    const claims = collector.spans.filter((span) => span.name === 'claim message' && ofTrace(span));
    expect(claims.map(({ spanId }) => spanId)).toContain(call.parentId);
  });

  it('lead from the request of a job over claims to calls, with few spans for many recipients', async () => {
    const trace = newTrace();
    const fields = { templateName: 'hello_world' };
    const answer = await client.upload(listOf(phones(400, 100)), fields, { headers: trace.headers });
    const { jobId } = answer.body as { jobId: string };
    const requestId = answer.headers.get('x-request-id');
    expect((await client.get(`/bulk-jobs/${jobId}`)).body).toMatchObject({ requestId, traceId: trace.traceId });
    const { startedAt, completedAt } = await ended(client, jobId);
    const { traceparent } = await eventOf('job.completed', (data) => data.jobId === jobId);

    const ofTrace = ({ traceId }: CollectedSpan) => traceId === trace.traceId;
    const request = await spanWith('POST /api/v1/messaging/bulk-import-messages', ofTrace);
    expect(request.parentId).toBe(trace.spanId);
    const claim = await spanWith('claim recipients', ({ attributes }) => attributes['messaging.job_id'] === jobId);
    expect(claim).toMatchObject({ parentId: '', links: [{ traceId: trace.traceId, spanId: request.spanId }] });
    const calls = () => collector.spans.filter(({ parentId }) => parentId === claim.spanId);
    const isThere = () => calls().some(({ name }) => name === 'platform POST /{id}/messages');
    await until(() => Promise.resolve(isThere()), PATIENCE_MS, 'the call of the claim');
    const ofClaim = (span: CollectedSpan) => span.parentId === claim.spanId;
    expect(await spanWith('receive reports', ofClaim)).toMatchObject({ traceId: claim.traceId, links: [] });
    const delivery = await spanWith('deliver event', ({ spanId }) => traceparent!.includes(spanId));
    expect(delivery).toMatchObject({ traceId: trace.traceId, parentId: request.spanId });
    expect((await platform.ledger()).filter(({ callbackData }) => callbackData.includes(jobId))).toHaveLength(400);
    const seconds = (Date.parse(completedAt!) - Date.parse(startedAt!)) / 1000;
    const claims = collector.spans.filter(({ attributes }) => attributes['messaging.job_id'] === jobId);
    const ofClaims = collector.spans.filter(({ traceId }) => claims.some((one) => one.traceId === traceId));
    expect(claims.length).toBeLessThanOrEqual(seconds + 2);
    expect(ofClaims.filter(({ name }) => name.startsWith('platform'))).toHaveLength(claims.length);
    const [message] = (await client.get(`/messages?jobId=${jobId}&limit=1`)).body.items as [{ id: string }];
    expect((await client.get(`/messages/${message.id}`)).body).toMatchObject({ requestId, traceId: trace.traceId });
  });

  it('link the reports of one body to the claim of a job and to the request of a client', async () => {
    const traces = [newTrace(), newTrace()] as const;
    const [ofJob, single] = phones(2, 550) as [string, string];
    const { jobId } = (await client.upload(listOf([ofJob]), { templateName: 'hello_world' }, traces[0])).body;
    await ended(client, jobId as string);
    await send(single, traces[1].headers);
    const sent = await Promise.all([ofJob, single].map(sentTo));
    const claim = await spanWith('claim recipients', ({ attributes }) => attributes['messaging.job_id'] === jobId);
    const inTrace = ({ traceId }: CollectedSpan) => traceId === traces[1].traceId;
    const request = await spanWith('POST /api/v1/messaging/send-template', inTrace);
    const body = reportOf(sent.map((message) => statusOf(message, 'read')));
    expect((await postWebhook(service, body)).status).toBe(200);
    // The platform may report two statuses of one message in one body, too.
    const both = ({ attributes, links }: CollectedSpan) => attributes['messaging.statuses'] === 2 && links.length > 0;
    expect(await spanWith('receive reports', both)).toMatchObject({
      traceId: claim.traceId,
      parentId: claim.spanId,
      links: [{ traceId: request.traceId, spanId: request.spanId }],
    });
  });

  it('lead from a message of a person to the event', async () => {
    const [from] = phones(1, 600) as [string];
    const body = JSON.stringify({ from, text: TEXT });
    expect((await fetch(`${platform.url}/sandbox/inbound`, { method: 'POST', body })).status).toBe(200);
    const { traceparent } = await eventOf('message.received', ({ phone }) => phone === from);
    const delivery = await spanWith('deliver event', ({ spanId }) => traceparent!.includes(spanId));
    const reports = await spanWith('receive reports', ({ spanId }) => spanId === delivery.parentId);
    expect(reports).toMatchObject({ traceId: delivery.traceId, parentId: '', attributes: { 'messaging.messages': 1 } });
  });

  it('are not recorded when the client asks for none', async () => {
    const [to] = phones(1, 700) as [string];
    const trace = newTrace('00');
    const { messageId } = (await send(to, trace.headers)).body as { messageId: string };
    const { traceparent } = await eventOf('message.sent', (data) => data.messageId === messageId);
    expect(traceparent).toMatch(new RegExp(`^00-${trace.traceId}-[0-9a-f]{16}-00$`));
    expect(await sentTo(to)).toMatchObject({ callbackData: `${messageId}.1` });
    await send(phones(1, 701)[0]!);
    await spanWith('receive reports', ({ traceId }) => traceId !== trace.traceId);
    expect(collector.spans.filter(({ traceId }) => traceId === trace.traceId)).toEqual([]);
  });

  it('ignore an invalid header, and have their ids in the log', async () => {
    const answer = await send(phones(1, 710)[0]!, { traceparent: `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01` });
    const requestId = answer.headers.get('x-request-id');
    const { traceId, spanId } = await spanWith(
      'POST /api/v1/messaging/send-template',
      ({ attributes }) => attributes['messaging.request_id'] === requestId,
    );
    const lines = service.log
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line.requestId === requestId);
    expect(lines).toEqual([expect.objectContaining({ trace_id: traceId, span_id: spanId })]);
  });

  it('contain no phone numbers, contents or secrets', async () => {
    await spanWith('receive reports', ({ attributes }) => attributes['messaging.messages'] === 1);
    expect(collector.headers[0]).toMatchObject({ authorization: SECRET_HEADER });
    const numbers = (await platform.ledger()).map(({ to }) => to.replace('+', ''));
    const secrets = [KEY, 'sandbox-access-token', FIRST_SENDER.appSecret, SECRET_HEADER, TEXT, 'wamid.', ...numbers];
    expect(secrets.filter((secret) => collector.bytes.includes(secret))).toEqual([]);
    expect(numbers.length).toBeGreaterThan(400);
  });

  it('are sent before the process ends, and a collector that does not answer delays nothing', async () => {
    collector.answers = false;
    const started = performance.now();
    const sent = await Promise.all(phones(20, 720).map((to) => send(to)));
    expect(sent.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(performance.now() - started).toBeLessThan(PATIENCE_MS / 2);
    const stopping = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - stopping).toBeLessThan(PATIENCE_MS / 2);

    collector.answers = true;
    await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '60000' });
    const trace = newTrace();
    await send(phones(1, 750)[0]!, trace.headers);
    expect(await service.stop()).toBe(0);
    expect(collector.spans.filter(({ traceId }) => traceId === trace.traceId).length).toBeGreaterThanOrEqual(2);
  });

  it('are lost with one line in the log while the collector is unavailable', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const short = { OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_EXPORTER_OTLP_TIMEOUT: '100', ...REPORTING };
    await start({ OTEL_EXPORTER_OTLP_ENDPOINT: nowhere, ...short });
    const lost = () => service.log.filter((line) => line.includes('Spans are lost'));
    for (let n = 0; n < 5; n++) expect((await send(phones(1, 760 + n)[0]!)).status).toBe(201);
    await until(() => Promise.resolve(lost().length > 0), PATIENCE_MS, 'the line in the log');
    expect((await send(phones(1, 770)[0]!)).status).toBe(201);
    expect(await service.stop()).toBe(0);
    expect(lost()).toHaveLength(1);
    expect(loadedPackages()).toContain('@opentelemetry/sdk-trace-base');
  });

  it('are only passed on without a collector, and the SDK is not loaded', async () => {
    const requests = collector.requests;
    await start({ OTEL_EXPORTER_OTLP_ENDPOINT: '', ...REPORTING });
    const [to, other] = phones(2, 780) as [string, string];
    const trace = newTrace();
    const { messageId } = (await send(to, trace.headers)).body as { messageId: string };
    expect(await eventOf('message.delivered', (data) => data.messageId === messageId)).toMatchObject(trace.headers);
    expect(await sentTo(to)).toMatchObject({ ...trace.headers, callbackData: `${messageId}.1` });
    expect((await client.get(`/messages/${messageId}`)).body).toMatchObject({ traceId: trace.traceId });
    const without = (await send(other)).body as { messageId: string };
    expect(await eventOf('message.sent', (data) => data.messageId === without.messageId)).not.toHaveProperty(
      'traceparent',
    );
    expect(await sentTo(other)).not.toHaveProperty('traceparent');
    expect((await client.get(`/messages/${without.messageId}`)).body).not.toHaveProperty('traceId');
    expect(service.log.filter((line) => line.includes('trace_id'))).toEqual([]);
    expect(collector.requests).toBe(requests);
    expect(await service.stop()).toBe(0);
    expect(loadedPackages()).toEqual([]);
  });
});
