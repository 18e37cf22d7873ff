import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUUID,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { IsInstant } from '../../../infra/http/validation/instant.decorator';
import { MayBeAbsent } from '../../../infra/http/validation/may-be-absent.decorator';
import { unknownValues } from '../../../infra/http/validation/unknown-values';
import { QueryInteger } from '../../../infra/http/lists/page.dto';
import { EVENT_TYPES, type EventType } from '../domain/event';
import { DELIVERY_STATUSES, type DeliveryStatus, type LoggedDelivery } from '../domain/webhook-delivery';
import {
  DISABLED_REASONS,
  type DisabledReason,
  ENDPOINT_STATUSES,
  type EndpointStatus,
  type IssuedEndpoint,
  webhookId,
  type WebhookEndpoint,
  type WebhookReplay,
} from '../domain/webhook-endpoint';

const ID = { format: 'uuid', example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11' };
const URL_FIELD = {
  description: 'URL to which events are POSTed: `https`, no port, user name or password, and on the public internet.',
  example: 'https://crm.example.com/messaging-events',
  maxLength: 2048,
};
const EVENTS = {
  description: 'The events to deliver: at least one.',
  enum: EVENT_TYPES,
  isArray: true,
  example: ['message.delivered', 'message.failed', 'job.completed'],
};
const MAX_EVENTS = {
  type: 'integer' as const,
  minimum: 1,
  maximum: 100,
  example: 1,
  description:
    '1: one POST per event, as `{type, timestamp, data}`. More: up to this many per POST, always as `{"events":[…]}`. ' +
    'Events from before a change keep their format.',
};

const IsEndpointUrl = () => applyDecorators(IsString(), MaxLength(2048));
const AreEvents = () =>
  applyDecorators(
    ...[IsArray(), ArrayMinSize(1), ArrayMaxSize(EVENT_TYPES.length), ArrayUnique()],
    IsIn(EVENT_TYPES, { each: true, message: unknownValues(EVENT_TYPES) }),
  );
const IsMaxEvents = () => applyDecorators(MayBeAbsent(), IsInt(), Min(1), Max(100));

/** Body of `POST /webhook-endpoints`. */
export class CreateWebhookEndpointDto {
  @ApiProperty(URL_FIELD)
  @IsEndpointUrl()
  url: string;

  @ApiProperty(EVENTS)
  @AreEvents()
  events: EventType[];

  @ApiPropertyOptional({ ...MAX_EVENTS, default: 1 })
  @IsMaxEvents()
  maxEvents = 1;
}

/** Body of `PATCH /webhook-endpoints/{endpointId}`; absent fields keep their values. */
export class ChangeWebhookEndpointDto {
  @ApiPropertyOptional(URL_FIELD)
  @MayBeAbsent()
  @IsEndpointUrl()
  url?: string;

  @ApiPropertyOptional(EVENTS)
  @MayBeAbsent()
  @AreEvents()
  events?: EventType[];

  @ApiPropertyOptional(MAX_EVENTS)
  @IsMaxEvents()
  maxEvents?: number;

  @ApiPropertyOptional({
    description:
      'Disabled: nothing is delivered or recorded for it; waiting events are kept for 3 days. Enabled: deliveries ' +
      'start immediately.',
    enum: ENDPOINT_STATUSES,
    example: 'Disabled',
  })
  @MayBeAbsent()
  @IsIn(ENDPOINT_STATUSES)
  status?: EndpointStatus;
}

/** Body of `POST /webhook-endpoints/{endpointId}/rotate-secret`; may be absent. */
export class RotateWebhookSecretDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: 604_800,
    default: 0,
    example: 3600,
    description: 'Seconds for which bodies are also signed with the old secret; 0: not at all.',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(604_800)
  overlapSeconds = 0;
}

/** Body of `POST /webhook-endpoints/{endpointId}/replay`. */
export class ReplayWebhooksDto {
  @ApiProperty({
    description: 'Start of the range; bodies are kept for 7 days.',
    format: 'date-time',
    example: '2026-01-15T09:30:00.000Z',
  })
  @IsInstant()
  since: string;
}

/** Query of a list of deliveries. */
export class DeliveriesQueryDto {
  @ApiPropertyOptional({
    description: '`nextCursor` of the previous response; absent: the first page.',
    ...ID,
  })
  @IsOptional()
  @IsUUID()
  cursor?: string;

  @QueryInteger({ min: 1, max: 200, default: 50, description: 'Maximum number of items.' })
  limit = 50;

  @ApiPropertyOptional({ description: 'Only attempts with this result.', enum: DELIVERY_STATUSES, example: 'Failed' })
  @IsOptional()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;
}

/** A running replay. */
export class WebhookReplayDto {
  @ApiProperty({
    description: 'Start of the range: events first delivered, or finally failed, since then are redelivered.',
    format: 'date-time',
    example: '2026-01-15T09:30:00.000Z',
  })
  since: string;

  @ApiProperty({
    description: 'When the replay was requested; later events are not part of it.',
    format: 'date-time',
    example: '2026-01-16T08:00:00.000Z',
  })
  startedAt: string;

  @ApiProperty({ description: 'Bodies queued again so far.', type: 'integer', example: 0 })
  replayed: number;

  static from({ since, startedAt, replayed }: WebhookReplay): WebhookReplayDto {
    return { since: since.toISOString(), startedAt: startedAt.toISOString(), replayed };
  }
}

/** A webhook endpoint without its secret. */
export class WebhookEndpointDto {
  @ApiProperty({ ...ID, description: 'Id of the endpoint.' })
  id: string;

  @ApiProperty(URL_FIELD)
  url: string;

  @ApiProperty(EVENTS)
  events: readonly EventType[];

  @ApiProperty(MAX_EVENTS)
  maxEvents: number;

  @ApiProperty({ description: 'Whether events are delivered.', enum: ENDPOINT_STATUSES, example: 'Enabled' })
  status: EndpointStatus;

  @ApiProperty({
    description: `Why it is Disabled; otherwise null. ${Object.entries(DISABLED_REASONS)
      .map(([code, { when }]) => `\`${code}\`: ${when}`)
      .join(' ')}`,
    type: String,
    enum: Object.keys(DISABLED_REASONS),
    nullable: true,
    example: null,
  })
  disabledReason: DisabledReason | null;

  @ApiProperty({
    description:
      'Since when every delivery has failed; null: the last one succeeded. After 5 days the endpoint is ' + 'disabled.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
  })
  failingSince: string | null;

  @ApiProperty({
    description: 'Until when bodies are also signed with the previous secret; null: they are not.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
  })
  previousSecretValidUntil: string | null;

  @ApiProperty({
    description: 'When the endpoint was created.',
    format: 'date-time',
    example: '2026-01-15T09:30:00.000Z',
  })
  createdAt: string;

  @ApiProperty({
    description: 'The running replay; null: none, and one can be requested.',
    type: WebhookReplayDto,
    nullable: true,
    example: null,
  })
  replay: WebhookReplayDto | null;

  static from(endpoint: WebhookEndpoint): WebhookEndpointDto {
    const { id, url, events, maxEvents, status, disabledReason, failingSince, createdAt } = endpoint;
    const { previousSecretValidUntil } = endpoint;
    return {
      ...{ id, url, events, maxEvents, status, disabledReason },
      failingSince: failingSince?.toISOString() ?? null,
      previousSecretValidUntil: previousSecretValidUntil?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
      replay: endpoint.replay && WebhookReplayDto.from(endpoint.replay),
    };
  }
}

/** A webhook endpoint with its secret, which is returned only here. */
export class IssuedWebhookEndpointDto extends WebhookEndpointDto {
  @ApiProperty({
    description: 'The signing secret. It is shown only once.',
    example: 'whsec_RVhBTVBMRUVYQU1QTEVFWEFNUExFRVhBTVBMRUVYQU0=',
  })
  secret: string;

  static issued({ endpoint, secret }: IssuedEndpoint): IssuedWebhookEndpointDto {
    return { ...WebhookEndpointDto.from(endpoint), secret };
  }
}

/** One attempt to deliver one body. */
export class WebhookDeliveryDto {
  @ApiProperty({ ...ID, description: 'Id of the attempt.' })
  id: string;

  @ApiProperty({
    description: 'The header `webhook-id`: the same in every attempt to deliver this body.',
    example: 'msg_5b0c0f4e-6c8e-4f0b-9d55-0a1c0de1f2a3_0',
  })
  webhookId: string;

  @ApiProperty({
    description: 'Event types in the body.',
    type: [String],
    example: ['message.delivered'],
  })
  events: readonly string[];

  @ApiProperty({ description: 'From 1; 0: a test.', type: 'integer', example: 1 })
  attempt: number;

  @ApiProperty({
    description: 'Delivered; Retrying: failed, retried at `nextAttemptAt`; Failed: failed, not retried.',
    enum: DELIVERY_STATUSES,
    example: 'Delivered',
  })
  status: DeliveryStatus;

  @ApiProperty({
    description: 'HTTP status of the response; null: no response.',
    type: 'integer',
    nullable: true,
    example: 204,
  })
  httpStatus: number | null;

  @ApiProperty({
    description: 'Why the attempt failed; null if it succeeded.',
    type: String,
    nullable: true,
    example: null,
  })
  error: string | null;

  @ApiProperty({ description: 'Duration in milliseconds.', type: 'integer', example: 84 })
  durationMs: number;

  @ApiProperty({ description: 'When the attempt started.', format: 'date-time', example: '2026-01-15T09:30:00.000Z' })
  at: string;

  @ApiProperty({
    description: 'Time of the next attempt; null: none.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
  })
  nextAttemptAt: string | null;

  @ApiProperty({
    description: 'The body as sent; null after 7 days.',
    type: String,
    nullable: true,
    example:
      '{"type":"message.delivered","timestamp":"2026-01-15T09:30:00.000Z","data":{"messageId":"0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11"}}',
  })
  body: string | null;

  static from(delivery: LoggedDelivery): WebhookDeliveryDto {
    const { id, key, body, events, attempt, status, httpStatus, error, durationMs, at, nextAttemptAt } = delivery;
    return {
      ...{ id, webhookId: webhookId(key, body), events, attempt, status, httpStatus, error, durationMs },
      at: at.toISOString(),
      nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
      body: delivery.payload,
    };
  }
}

/** Example bodies of the API reference. */
export const CHANGE_ENDPOINT_EXAMPLES = {
  events: { summary: 'Other events', value: { events: ['message.delivered', 'message.failed', 'job.completed'] } },
  disable: { summary: 'Stop deliveries', value: { status: 'Disabled' } },
};
