import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
  replayWebhookDelivery,
  replayWebhooks,
  testWebhookEndpoint,
} from '../../client/generated/sdk.gen';
import type { CreateWebhookEndpointDto } from '../../client/generated/types.gen';
import { verifyWebhook } from '../../client/webhooks';
import { EXIT, UsageError } from '../exit-codes';
import { isLoopback, type Session } from '../session';

type EventTypes = CreateWebhookEndpointDto['events'];
/** The default events of `messaging webhooks listen`. */
export const ALL_EVENTS: EventTypes = [
  'message.sent',
  'message.delivered',
  'message.read',
  'message.undelivered',
  'message.failed',
  'message.received',
  'job.started',
  'job.paused',
  'job.throttled',
  'job.completed',
  'job.failed',
  'job.cancelled',
  'template.status_changed',
  'contact.opted_out',
  'contact.opted_in',
];
const LARGEST_BODY = 4 * 1024 * 1024;

/** `messaging webhooks list` */
export async function list(session: Session): Promise<number> {
  const client = await session.client();
  await session.out.firstOfList(
    client.each(listWebhookEndpoints, {}, { signal: session.signal }),
    [
      ['endpoint', (endpoint) => endpoint.id],
      ['url', (endpoint) => endpoint.url],
      ['status', (endpoint) => endpoint.disabledReason ?? endpoint.status],
      ['failing since', (endpoint) => endpoint.failingSince],
      ['events', (endpoint) => endpoint.events.join(' ')],
    ],
    'No endpoints.',
  );
  return EXIT.done;
}

/** `messaging webhooks create <url>`: the secret is shown once. */
export async function create(session: Session, url: string, flags: { events?: string[] }): Promise<number> {
  const body = { url, events: eventsOf(flags.events) };
  const issued = await (await session.client()).call(createWebhookEndpoint, { body }, { signal: session.signal });
  session.out.result(issued, () => `${issued.id}\n${issued.secret}`);
  return EXIT.done;
}

/** `messaging webhooks remove <endpoint>` */
export async function remove(session: Session, endpointId: string): Promise<number> {
  if (!(await session.confirmed(`Remove the endpoint ${endpointId}?`))) return EXIT.refused;
  await (await session.client()).call(deleteWebhookEndpoint, { path: { endpointId } }, { signal: session.signal });
  session.out.note('Removed.');
  return EXIT.done;
}

/** `messaging webhooks test <endpoint>` */
export async function test(session: Session, endpointId: string): Promise<number> {
  const client = await session.client();
  const delivery = await client.call(testWebhookEndpoint, { path: { endpointId } }, { signal: session.signal });
  const result = delivery.httpStatus ? `HTTP ${delivery.httpStatus}` : delivery.error;
  session.out.result(delivery, () => `${delivery.status}: ${result} after ${delivery.durationMs} ms`);
  return delivery.status === 'Delivered' ? EXIT.done : EXIT.someFailed;
}

/** `messaging webhooks deliveries <endpoint>` */
export async function deliveries(session: Session, endpointId: string, flags: { limit: number }): Promise<number> {
  const client = await session.client();
  const all = client.each(listWebhookDeliveries, { path: { endpointId } }, { signal: session.signal });
  await session.out.firstOfList(
    all,
    [
      ['delivery', (delivery) => delivery.id],
      ['status', (delivery) => delivery.status],
      ['http', (delivery) => delivery.httpStatus ?? delivery.error],
      ['attempt', (delivery) => delivery.attempt],
      ['at', (delivery) => delivery.at],
      ['events', (delivery) => delivery.events.join(' ')],
    ],
    'No deliveries yet.',
    flags.limit,
  );
  return EXIT.done;
}

/** `messaging webhooks replay <endpoint> --since 2h` */
export async function replay(session: Session, endpointId: string, { since }: { since: Date }): Promise<number> {
  const client = await session.client();
  const options = { path: { endpointId }, body: { since: since.toISOString() } };
  const started = await client.call(replayWebhooks, options, { signal: session.signal });
  session.out.result(started, () => `Redelivering the events since ${started.since}.`);
  session.out.note(`Watch it: messaging webhooks deliveries ${endpointId}`);
  return EXIT.done;
}

/** `messaging webhooks redeliver <delivery>` */
export async function redeliver(session: Session, deliveryId: string): Promise<number> {
  const client = await session.client();
  const delivery = await client.call(replayWebhookDelivery, { path: { deliveryId } }, { signal: session.signal });
  session.out.result(delivery, () => `Redelivering ${delivery.events.join(', ')}.`);
  return EXIT.done;
}

/**
 * `messaging webhooks listen`: prints each verified event until Ctrl-C. Registers a temporary endpoint and removes it
 * at the end; a remote service reaches it over the public URL of a tunnel.
 */
export async function listen(
  session: Session,
  flags: { port: number; publicUrl?: string; events?: string[] },
): Promise<number> {
  if (!isLoopback(session.url) && !flags.publicUrl)
    throw new UsageError('The service runs on another machine: set --public-url to a URL that reaches this machine.');
  const client = await session.client();
  let secret = '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > LARGEST_BODY) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      verifyWebhook({ secret, headers: request.headers, body }).then(
        (events) => {
          response.writeHead(204).end();
          for (const event of events) print(session, event);
        },
        (error: Error) => {
          response.writeHead(400).end();
          session.out.problem(error.message);
        },
      );
    });
  });
  await new Promise<void>((done, fail) => server.once('error', fail).listen(flags.port, '127.0.0.1', done));
  const url = flags.publicUrl ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const body = { url, events: eventsOf(flags.events) };
    const issued = await client.call(createWebhookEndpoint, { body }, { signal: session.signal });
    secret = issued.secret;
    session.out.note(`Listening as ${url}, endpoint ${issued.id}. Press Ctrl-C to stop and remove it.`, 'green');
    try {
      await new Promise<void>((done) => session.signal.addEventListener('abort', () => done(), { once: true }));
    } finally {
      // Without the session's signal, which has already been aborted.
      await client.call(deleteWebhookEndpoint, { path: { endpointId: issued.id } });
      session.out.note('Removed the endpoint.');
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return EXIT.done;
}

function print(session: Session, event: { type: string; timestamp: string; data: object }): void {
  session.out.line(event, () => `${event.timestamp}  ${event.type}  ${JSON.stringify(event.data)}`);
}

function eventsOf(named: string[] | undefined): EventTypes {
  // The service lists the available events.
  return named ? (named as EventTypes) : ALL_EVENTS;
}
