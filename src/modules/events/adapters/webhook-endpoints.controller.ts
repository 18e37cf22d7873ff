import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { ApiPageOf, ApiSliceOf } from '../../../infra/http/lists/api-lists.decorators';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { type PageAnswer, pageAnswer, PageQueryDto } from '../../../infra/http/lists/page.dto';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import { ShowsSecret } from '../../../infra/http/access/shows-secret.decorator';
import type { Caller } from '../../../kernel/caller';
import type { Slice } from '../../../kernel/page';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { QuotaExceededError } from '../../accounts/domain/accounts.errors';
import {
  DeliveryBodyExpiredError,
  ReplayInProgressError,
  WebhookDeliveryNotFoundError,
  WebhookEndpointNotFoundError,
} from '../domain/events.errors';
import { WebhookEndpoints } from '../domain/webhook-endpoints';
import {
  CHANGE_ENDPOINT_EXAMPLES,
  ChangeWebhookEndpointDto,
  CreateWebhookEndpointDto,
  DeliveriesQueryDto,
  IssuedWebhookEndpointDto,
  ReplayWebhooksDto,
  RotateWebhookSecretDto,
  WebhookDeliveryDto,
  WebhookEndpointDto,
  WebhookReplayDto,
} from './webhook-endpoints.dto';
import { EVENT_DETAILS } from './webhook-events.openapi';

const ID = { format: 'uuid', example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11' };
const ENDPOINT_ID = { ...ID, name: 'endpointId', description: 'Id of a webhook endpoint of your account.' };
const DELIVERY_ID = { ...ID, name: 'deliveryId', description: 'Id of a delivery attempt to one of your endpoints.' };
const EndpointId = () => Param('endpointId', new ResourceIdPipe(WebhookEndpointNotFoundError));

/** The webhook endpoints of the caller's account and their deliveries. */
@ApiTags('Webhooks')
@ApiExtraModels(...EVENT_DETAILS)
@Controller('webhook-endpoints')
export class WebhookEndpointsController {
  constructor(private readonly endpoints: WebhookEndpoints) {}

  @Get()
  @RequireScope('webhooks:manage')
  @ApiOperation({
    summary: 'List the webhook endpoints',
    description: 'Lists the endpoints without their secrets, newest first.',
  })
  @ApiPageOf(WebhookEndpointDto)
  @ApiErrors(ValidationFailedError)
  async listWebhookEndpoints(
    @CurrentCaller() { accountId }: Caller,
    @Query() query: PageQueryDto,
  ): Promise<PageAnswer<WebhookEndpointDto>> {
    const page = await this.endpoints.page(accountId, query);
    return pageAnswer({ ...page, items: page.items.map((endpoint) => WebhookEndpointDto.from(endpoint)) });
  }

  @Post()
  @RequireScope('webhooks:manage')
  @ApiOperation({
    summary: 'Create a webhook endpoint',
    description:
      'Starts delivering the chosen events to the endpoint. The response contains the signing secret in `secret`; it ' +
      'is shown only once.',
  })
  @ApiCreatedResponse({ description: 'The endpoint, with its secret.', type: IssuedWebhookEndpointDto })
  @JsonBody()
  @ApiBody({ type: CreateWebhookEndpointDto })
  @ApiErrors(QuotaExceededError)
  @ShowsSecret()
  async createWebhookEndpoint(
    @CurrentCaller() caller: Caller,
    @Body() { url, events, maxEvents }: CreateWebhookEndpointDto,
  ): Promise<IssuedWebhookEndpointDto> {
    return IssuedWebhookEndpointDto.issued(await this.endpoints.create(caller, { url, events, maxEvents }));
  }

  @Get(':endpointId')
  @ApiParam(ENDPOINT_ID)
  @RequireScope('webhooks:manage')
  @ApiOperation({ summary: 'Read a webhook endpoint', description: 'Returns the endpoint without its secret.' })
  @ApiOkResponse({ description: 'The endpoint.', type: WebhookEndpointDto })
  @ApiErrors(WebhookEndpointNotFoundError)
  async getWebhookEndpoint(
    @CurrentCaller() { accountId }: Caller,
    @EndpointId() endpointId: string,
  ): Promise<WebhookEndpointDto> {
    return WebhookEndpointDto.from(await this.endpoints.get(accountId, endpointId));
  }

  @Patch(':endpointId')
  @ApiParam(ENDPOINT_ID)
  @RequireScope('webhooks:manage')
  @ApiOperation({
    summary: 'Change a webhook endpoint',
    description: 'Absent fields keep their values. The change takes effect within 2 s.',
  })
  @ApiOkResponse({ description: 'The updated endpoint.', type: WebhookEndpointDto })
  @JsonBody()
  @ApiBody({ type: ChangeWebhookEndpointDto, examples: CHANGE_ENDPOINT_EXAMPLES })
  @ApiErrors(WebhookEndpointNotFoundError)
  async updateWebhookEndpoint(
    @CurrentCaller() caller: Caller,
    @EndpointId() endpointId: string,
    @Body() { url, events, maxEvents, status }: ChangeWebhookEndpointDto,
  ): Promise<WebhookEndpointDto> {
    const change = {
      ...(url !== undefined && { url }),
      ...(events !== undefined && { events }),
      ...(maxEvents !== undefined && { maxEvents }),
      ...(status !== undefined && { status }),
    };
    return WebhookEndpointDto.from(await this.endpoints.change(caller, endpointId, change));
  }

  @Delete(':endpointId')
  @ApiParam(ENDPOINT_ID)
  @HttpCode(204)
  @RequireScope('webhooks:manage')
  @ApiOperation({
    summary: 'Delete a webhook endpoint',
    description: 'Deliveries stop within 2 s; waiting events are discarded.',
  })
  @ApiNoContentResponse({ description: 'The endpoint is deleted.' })
  @ApiErrors(WebhookEndpointNotFoundError)
  deleteWebhookEndpoint(@CurrentCaller() caller: Caller, @EndpointId() endpointId: string): Promise<void> {
    return this.endpoints.remove(caller, endpointId);
  }

  @Post(':endpointId/test')
  @ApiParam(ENDPOINT_ID)
  @HttpCode(200)
  @RequireScope('webhooks:manage')
  @ApiOperation({
    summary: 'Send a test event',
    description:
      'Sends one `webhook.test` event immediately, without retries, and returns the result. Works for a disabled ' +
      'endpoint, too.',
  })
  @ApiOkResponse({ description: 'The result, within 15 s.', type: WebhookDeliveryDto })
  @ApiErrors(WebhookEndpointNotFoundError)
  async testWebhookEndpoint(
    @CurrentCaller() { accountId }: Caller,
    @EndpointId() endpointId: string,
  ): Promise<WebhookDeliveryDto> {
    return WebhookDeliveryDto.from(await this.endpoints.test(accountId, endpointId));
  }

  @Post(':endpointId/rotate-secret')
  @ApiParam(ENDPOINT_ID)
  @RequireScope('webhooks:manage')
  @ApiOperation({
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'The response contains the new secret in `secret`; it is shown only once. For `overlapSeconds`, each body is ' +
      'signed with both secrets.',
  })
  @ApiCreatedResponse({ description: 'The endpoint, with its new secret.', type: IssuedWebhookEndpointDto })
  @JsonBody()
  @ApiBody({ type: RotateWebhookSecretDto, required: false })
  @ApiErrors(WebhookEndpointNotFoundError)
  @ShowsSecret()
  async rotateWebhookSecret(
    @CurrentCaller() caller: Caller,
    @EndpointId() endpointId: string,
    @Body() { overlapSeconds }: RotateWebhookSecretDto,
  ): Promise<IssuedWebhookEndpointDto> {
    return IssuedWebhookEndpointDto.issued(await this.endpoints.rotateSecret(caller, endpointId, overlapSeconds));
  }

  @Get(':endpointId/deliveries')
  @ApiParam(ENDPOINT_ID)
  @RequireScope('webhooks:manage')
  @ApiOperation({
    summary: 'List the deliveries to a webhook endpoint',
    description: 'Lists every attempt of the last 30 days, newest first. Bodies are kept for 7 days.',
  })
  @ApiSliceOf(WebhookDeliveryDto)
  @ApiErrors(ValidationFailedError, WebhookEndpointNotFoundError)
  async listWebhookDeliveries(
    @CurrentCaller() { accountId }: Caller,
    @EndpointId() endpointId: string,
    @Query() query: DeliveriesQueryDto,
  ): Promise<Slice<WebhookDeliveryDto>> {
    const { items, nextCursor } = await this.endpoints.deliveries(accountId, endpointId, query);
    return { items: items.map((delivery) => WebhookDeliveryDto.from(delivery)), nextCursor };
  }

  @Post(':endpointId/replay')
  @ApiParam(ENDPOINT_ID)
  @HttpCode(202)
  @RequireScope('webhooks:manage')
  @ApiOperation({
    summary: 'Redeliver events since a given time',
    description:
      'For an endpoint that lost data: redelivers every body that was first delivered, or finally failed, since the ' +
      'given time, under the same `webhook-id` and at a rate set by the plan; events of a job keep their order. One ' +
      'replay per endpoint at a time; the endpoint shows it in `replay` until it ends.',
  })
  @ApiAcceptedResponse({ description: 'The replay has started.', type: WebhookReplayDto })
  @JsonBody()
  @ApiBody({ type: ReplayWebhooksDto })
  @ApiErrors(WebhookEndpointNotFoundError, ReplayInProgressError)
  async replayWebhooks(
    @CurrentCaller() caller: Caller,
    @EndpointId() endpointId: string,
    @Body() { since }: ReplayWebhooksDto,
  ): Promise<WebhookReplayDto> {
    return WebhookReplayDto.from(await this.endpoints.replaySince(caller, endpointId, new Date(since)));
  }

  @Post('deliveries/:deliveryId/replay')
  @ApiParam(DELIVERY_ID)
  @HttpCode(202)
  @RequireScope('webhooks:manage')
  @ApiOperation({
    summary: 'Redeliver a body',
    description:
      'Redelivers the body of this attempt under the same `webhook-id`, unless its delivery is already pending.',
  })
  @ApiAcceptedResponse({ description: 'The attempt whose body is redelivered.', type: WebhookDeliveryDto })
  @ApiErrors(WebhookDeliveryNotFoundError, DeliveryBodyExpiredError)
  async replayWebhookDelivery(
    @CurrentCaller() { accountId }: Caller,
    @Param('deliveryId', new ResourceIdPipe(WebhookDeliveryNotFoundError)) deliveryId: string,
  ): Promise<WebhookDeliveryDto> {
    return WebhookDeliveryDto.from(await this.endpoints.replay(accountId, deliveryId));
  }
}
