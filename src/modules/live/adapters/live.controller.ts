import { Controller, Get, Headers, Param, Query, Req, Res } from '@nestjs/common';
import {
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import type { ApiRequest } from '../../../infra/http/api-request';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { EventStreams, MAX_STREAM_MINUTES } from '../../../infra/http/streams/event-streams';
import { TooManyStreamsError } from '../../../infra/http/errors/http.errors';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import { type Caller, scopesInclude } from '../../../kernel/caller';
import { JOB_ID } from '../../bulk-jobs/adapters/job-id.dto';
import { JobNotFoundError } from '../../bulk-jobs/domain/bulk-jobs.errors';
import { BulkJobsService } from '../../bulk-jobs/domain/bulk-jobs.service';
import { hasEnd } from './live-events';
import { LiveUpdates } from './live-updates';

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  required: false,
  description: 'The `id` of the last event received; SSE clients send it when they reconnect.',
  example: 'Zk3nWq0u7pXy1aBc',
};
const STREAM =
  'Server-sent events: states, not changes. Reconnect with `Last-Event-ID` when the stream ends, after ' +
  `${MAX_STREAM_MINUTES} minutes at the latest. The key is sent in \`X-API-Key\`.`;
const JOB = '{"jobId":"0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11","status":"Completed","totalRecipients":500,';
const COUNTS = '"successfullySent":495,"failed":5,"progressPercentage":100';
const LIST_ITEM = `"kind":"Import","templateName":"order_update","languageCode":"en_US","reference":null,"createdAt":"2026-01-15T09:29:00.000Z","startedAt":"2026-01-15T09:29:01.000Z","completedAt":"2026-01-15T09:30:00.000Z"`;
const eventStream = (description: string, example: string) => ({
  description,
  content: { 'text/event-stream': { schema: { type: 'string' as const }, example } },
});

/** Event streams over HTTP. */
@ApiTags('Live')
@Controller()
export class LiveController {
  constructor(
    private readonly jobs: BulkJobsService,
    private readonly streams: EventStreams,
    private readonly updates: LiveUpdates,
  ) {}

  @Get('bulk-jobs/:jobId/events')
  @ApiParam(JOB_ID)
  @ApiHeader(LAST_EVENT_ID)
  @RequireScope('jobs:read')
  @ApiOperation({
    summary: 'Watch a bulk job',
    description:
      'The body of `GET /bulk-jobs/{jobId}/status`, now and after each change. Once every recipient has its final outcome, ' +
      `\`event: end\` follows with the same body. ${STREAM}`,
  })
  @ApiOkResponse(
    eventStream(
      'The events; those without a type carry the progress.',
      `id: Zk3nWq0u7pXy1aBc\ndata: ${JOB}${COUNTS}}\n\nevent: end\nid: end-Zk3nWq0u7pXy1aBc\ndata: ${JOB}${COUNTS}}\n\n`,
    ),
  )
  @ApiNoContentResponse({ description: 'The job is done and `Last-Event-ID` names its `end`: do not reconnect.' })
  @ApiErrors(JobNotFoundError, TooManyStreamsError)
  async watchBulkJob(
    @CurrentCaller() { accountId }: Caller,
    @Param('jobId', new ResourceIdPipe(JobNotFoundError)) jobId: string,
    @Headers('last-event-id') lastId: string | undefined,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { completedAt } = await this.jobs.get(accountId, jobId);
    if (completedAt !== null && hasEnd(lastId)) response.status(204).end();
    else this.updates.watchJob(jobId, this.streams.begin(accountId, request, response), lastId ?? null);
  }

  @Get('events')
  @ApiHeader(LAST_EVENT_ID)
  @RequireScope('jobs:read')
  @ApiOperation({
    summary: 'Watch the account',
    description:
      'Starts with running jobs, recent changes and unread conversations. `event: job` is a job as in `GET /bulk-jobs`; ' +
      '`event: conversation` is `{conversationId, unreadCount}` (0: it was read), for keys with `messaging:read`. ' +
      STREAM,
  })
  @ApiOkResponse(
    eventStream(
      'The events.',
      `event: job\nid: pB4vT1mK9sQe7rLd\ndata: ${JOB}${COUNTS},${LIST_ITEM}}\n\nevent: conversation\nid: Hs82kLq0vNw5tYzE\ndata: {"conversationId":"0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a22","unreadCount":2}\n\n`,
    ),
  )
  @ApiQuery({
    name: 'lastMessageAt',
    required: false,
    description: '`true`: conversations have `lastMessageAt`, the time of the latest message from or to the person.',
    example: 'true',
  })
  @ApiErrors(TooManyStreamsError)
  watchAccount(
    @CurrentCaller() { accountId, scopes }: Caller,
    @Headers('last-event-id') lastId: string | undefined,
    @Query('lastMessageAt') lastMessageAt: string | undefined,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): void {
    const kind = lastMessageAt === 'true' ? 'unread with times' : 'unread';
    const conversations = scopesInclude(scopes, 'messaging:read') ? kind : 'none';
    const stream = this.streams.begin(accountId, request, response);
    this.updates.watchAccount(accountId, conversations, stream, lastId ?? null);
  }
}
