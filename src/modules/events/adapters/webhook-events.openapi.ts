import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import type { Type } from '@nestjs/common';
import { EVENT_TYPES, type EventType, TEST_EVENT } from '../domain/event';
import {
  ContactEventDetailDto,
  JobEventDetailDto,
  MessageEventDetailDto,
  ReceivedEventDetailDto,
  TemplateEventDetailDto,
} from './webhook-events.dto';

type Webhooks = NonNullable<OpenAPIObject['webhooks']>;

interface EventDocumentation {
  summary: string;
  description: string;
  data: Type;
  /** The whole `data` of one. */
  example: object;
}

const PROOF = 'Order is not guaranteed: compare `status` and `timestamp`.';
const IN_ORDER = 'Events of one job arrive in order.';

const ID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';
const JOB_ID = '0199d1b5-11d4-7d08-9b1c-6f2f8f0a7e35';
const PHONE = '4915112345678';
const TEMPLATE = { templateName: 'order_update', languageCode: 'en_US' };
const CONTACT = { phone: PHONE, userId: null, scope: 'All', source: 'Keyword' };
const FAILURE = {
  errorCode: 'recipient_unreachable',
  errorMessage: 'The number cannot receive it.',
  platformCode: 131026,
};

const message = (summary: string, when: string, example: { status: string }): EventDocumentation => {
  const description = `${when} ${PROOF}`;
  return {
    ...{ summary, description, data: MessageEventDetailDto },
    example: {
      ...{ messageId: ID, phone: PHONE, errorCode: null, errorMessage: null, platformCode: null },
      ...{ platformMessageId: 'wamid.HBgNNDkxNTExMjM0NTY3OBUCABEYEjQ1RkE5', reference: 'order-4711' },
      ...{ jobId: JOB_ID, rowNumber: 17, ...example },
    },
  };
};
const job = (summary: string, when: string, status: string, reason: object | null = null): EventDocumentation => {
  const [successfullySent, failed] = { Processing: [0, 0], Completed: [990, 10] }[status] ?? [400, 3];
  return {
    ...{ summary, description: `${when} ${IN_ORDER}`, data: JobEventDetailDto },
    example: {
      ...{ jobId: JOB_ID, status, kind: 'Import', ...TEMPLATE, reference: 'spring', totalRecipients: 1000 },
      ...{ successfullySent, failed, reason },
    },
  };
};

const DOCUMENTATION: Readonly<Record<EventType, EventDocumentation>> = {
  'message.sent': message('A message was sent', 'The platform accepted it.', { status: 'Sent' }),
  'message.delivered': message('A message was delivered', "It reached the person's device.", {
    status: 'Delivered',
  }),
  'message.read': message('A message was read', 'The person opened it.', { status: 'Read' }),
  'message.undelivered': message(
    'A message was not delivered',
    'The platform accepted it and later reported that it failed.',
    { status: 'Undelivered', ...FAILURE },
  ),
  'message.failed': message(
    'A message failed',
    'The platform never accepted it. Recipients of a job that were not tried (invalid, opted out, cancelled) have no ' +
      'message and no event; see the counts and recipients of the job.',
    { status: 'Failed', ...FAILURE, ...{ platformMessageId: null } },
  ),
  'message.received': {
    summary: 'A person wrote',
    description: `An inbound message was recorded. ${PROOF}`,
    data: ReceivedEventDetailDto,
    example: {
      ...{ messageId: ID, conversationId: '5d0c9a11-8f3b-8a40-9b1c-2f4f7c1e0199', phone: PHONE, userId: null },
      ...{ type: 'Button', text: 'Confirm', buttonPayload: 'confirm-4711' },
      ...{ replyTo: { messageId: JOB_ID, reference: 'order-4711' }, flowResponse: null },
    },
  },
  'job.started': job('A job started', 'It sends its first messages.', 'Processing'),
  'job.paused': job('A job was paused', 'Paused by a client or the service; see `reason`.', 'Paused', {
    ...{ code: 'paused_by_client', message: 'Paused by the client', until: null },
  }),
  'job.throttled': job(
    'A job waits',
    'It waits for a platform limit, its sender or its send window; `reason` says which and until when. There is no ' +
      'event when it continues.',
    'Processing',
    {
      ...{ code: 'messaging_limit_reached', message: null, until: '2026-01-15T14:05:00.000Z' },
    },
  ),
  'job.completed': job('A job was completed', 'Every recipient has an outcome.', 'Completed'),
  'job.failed': job('A job failed', 'It failed as a whole; see `reason`.', 'Failed', {
    ...{ code: 'template_disabled', message: 'The platform disabled the template.', until: null },
  }),
  'job.cancelled': job(
    'A job was cancelled',
    'Cancelled by a client (`reason` is null), or because it was paused for 30 days.',
    'Cancelled',
  ),
  'template.status_changed': {
    summary: 'The status of a template changed',
    description: 'The platform approved, rejected, paused or disabled it, or it was deleted.',
    data: TemplateEventDetailDto,
    example: { templateId: ID, ...TEMPLATE, status: 'Paused', previousStatus: 'Approved' },
  },
  'contact.opted_out': {
    summary: 'A person opted out',
    description: 'By keyword or button, on the platform, or recorded by the account.',
    data: ContactEventDetailDto,
    example: CONTACT,
  },
  'contact.opted_in': {
    summary: 'A person opted in again',
    description: 'By keyword, on the platform, or because the opt-out was deleted.',
    data: ContactEventDetailDto,
    example: CONTACT,
  },
};

const HEADERS = [
  ['webhook-id', 'The same in every attempt to deliver this body.', 'msg_5b0c0f4e-6c8e-4f0b-9d55-0a1c0de1f2a3_0'],
  ['webhook-timestamp', 'Time of this attempt, in Unix seconds.', '1768469400'],
  [
    'webhook-signature',
    '`v1,` and the signature in base64; several are separated by spaces.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
] as const;

/** The `webhooks` of the API document: a POST for each event. */
export function eventWebhooks(): Webhooks {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: operationOf(type) }])) as Webhooks;
}

/** The schemas of these webhooks. */
export const EVENT_DETAILS = [...new Set(Object.values(DOCUMENTATION).map(({ data }) => data))];

function operationOf(type: EventType): object {
  const { summary, description, data, example } = DOCUMENTATION[type];
  return {
    operationId: `receive${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    ...{ summary, description, tags: ['Webhooks'], security: [] },
    parameters: HEADERS.map(([name, what, example]) => ({
      ...{ name, in: 'header', required: true, description: what },
      schema: { type: 'string', example },
    })),
    requestBody: {
      description: `One event; with \`maxEvents\` above 1, \`{"events":[…]}\`. \`POST /webhook-endpoints/{endpointId}/test\` sends a \`${TEST_EVENT}\` event.`,
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['type', 'timestamp', 'data'],
            properties: {
              type: { type: 'string', enum: [type], description: 'What happened.' },
              timestamp: {
                type: 'string',
                format: 'date-time',
                description: 'When it happened.',
                example: '2026-01-15T09:30:00.000Z',
              },
              data: { $ref: getSchemaPath(data) },
            },
          },
          example: { type, timestamp: '2026-01-15T09:30:00.000Z', data: example },
        },
      },
    },
    responses: {
      '2XX': { description: 'Received. Any other status is retried.' },
      '410': { description: 'Gone: the endpoint is disabled.' },
    },
  };
}
