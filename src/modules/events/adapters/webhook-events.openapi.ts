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

interface EventWords {
  summary: string;
  description: string;
  data: Type;
}

const PROOF = 'Order is not promised: `status` and `timestamp` say what is newer.';
const IN_ORDER = 'The events of one job arrive in order.';

const message = (summary: string, when: string): EventWords => {
  return { summary, description: `${when} ${PROOF}`, data: MessageEventDetailDto };
};
const job = (summary: string, when: string): EventWords => {
  return { summary, description: `${when} ${IN_ORDER}`, data: JobEventDetailDto };
};

const WORDS: Readonly<Record<EventType, EventWords>> = {
  'message.sent': message('A message was sent', 'The platform accepted it.'),
  'message.delivered': message('A message was delivered', 'It reached a device of the person.'),
  'message.read': message('A message was read', 'The person opened it.'),
  'message.undelivered': message(
    'A message was not delivered',
    'The platform accepted it, and reported later that it failed.',
  ),
  'message.failed': message(
    'A message failed',
    'It was never accepted. A recipient of a job that was not tried at all (invalid, opted out, cancelled) has no message and no event: the counters and the recipients of the job tell.',
  ),
  'message.received': {
    summary: 'A person wrote',
    description: `A message of a person was recorded. ${PROOF}`,
    data: ReceivedEventDetailDto,
  },
  'job.started': job('A job started', 'Its first messages are leaving.'),
  'job.paused': job('A job was paused', 'By a client, or by the service: `reason` says why.'),
  'job.throttled': job('A job waits', 'For a limit of the platform: `reason` says which, and until when.'),
  'job.completed': job('A job was completed', 'Every recipient has an outcome.'),
  'job.failed': job('A job failed', 'As a whole: `reason` says why.'),
  'job.cancelled': job('A job was cancelled', 'By a client, or because it was paused for 30 days.'),
  'template.status_changed': {
    summary: 'The status of a template changed',
    description: 'The platform approved, rejected, paused or disabled it, or it was deleted.',
    data: TemplateEventDetailDto,
  },
  'contact.opted_out': {
    summary: 'A person opted out',
    description: 'With a keyword or a button, on the platform, or recorded by the account.',
    data: ContactEventDetailDto,
  },
  'contact.opted_in': {
    summary: 'A person opted in again',
    description: 'With a keyword, on the platform, or by deletion of the opt-out.',
    data: ContactEventDetailDto,
  },
};

const HEADERS = [
  ['webhook-id', 'The same in every attempt to deliver this body.', 'msg_5b0c0f4e-6c8e-4f0b-9d55-0a1c0de1f2a3_0'],
  ['webhook-timestamp', 'When this attempt was made, in seconds.', '1768469400'],
  [
    'webhook-signature',
    '`v1,` and the signature in base64; several are separated by spaces.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
] as const;

/** What stands in `webhooks` of the API document: a POST for each event. */
export function eventWebhooks(): Webhooks {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: operationOf(type) }])) as Webhooks;
}

/** Schemas that the document needs for it. */
export const EVENT_DETAILS = [...new Set(Object.values(WORDS).map(({ data }) => data))];

function operationOf(type: EventType): object {
  const { summary, description, data } = WORDS[type];
  return {
    operationId: `receive${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    ...{ summary, description, tags: ['Webhooks'], security: [] },
    parameters: HEADERS.map(([name, what, example]) => ({
      ...{ name, in: 'header', required: true, description: what },
      schema: { type: 'string', example },
    })),
    requestBody: {
      description: `One event; with \`maxEvents\` above 1 \`{"events":[…]}\` of them. \`POST /webhook-endpoints/{endpointId}/test\` sends one of the type \`${TEST_EVENT}\`.`,
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
        },
      },
    },
    responses: {
      '2XX': { description: 'Taken. Everything else is tried again.' },
      '410': { description: 'Not wanted any more: the endpoint is disabled.' },
    },
  };
}
