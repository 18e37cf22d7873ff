import { Controller, Get, Headers, Param, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { RequireScope } from '../../../infra/http/access.decorators';
import { ApiErrors } from '../../../infra/http/api-errors.decorator';
import type { ApiRequest } from '../../../infra/http/api-request';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import {
  COMMENT_AFTER_SECONDS,
  EventStreams,
  MAX_STREAM_MINUTES,
  MAX_STREAMS,
} from '../../../infra/http/event-streams';
import { TooManyStreamsError } from '../../../infra/http/http.errors';
import { ResourceIdPipe } from '../../../infra/http/resource-id.pipe';
import { type Caller, scopesInclude } from '../../../kernel/caller';
import { JOB_ID } from '../../bulk-jobs/adapters/job-id.dto';
import { JobNotFoundError } from '../../bulk-jobs/domain/bulk-jobs.errors';
import { BulkJobsService } from '../../bulk-jobs/domain/bulk-jobs.service';
import { LIVE_SECONDS, MAX_RUNNING_JOBS } from '../../bulk-jobs/domain/live-jobs';
import { hasEnd } from './live-events';
import { LiveUpdates, MAX_UNREAD_CONVERSATIONS } from './live-updates';

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  required: false,
  description:
    'The `id` of the last event that you got; clients of server-sent events send it when they connect again.',
  example: 'Zk3nWq0u7pXy1aBc',
};
const STREAM = `The answer is a stream of server-sent events (\`text/event-stream\`), at most two a second of each thing. A comment is sent
after ${COMMENT_AFTER_SECONDS} seconds without an event. The stream ends after ${MAX_STREAM_MINUTES} minutes and when the service is restarted: connect again, with
\`Last-Event-ID\`; any process of the service continues it. Events are states, not changes: if you read slowly you get the latest only.
Every connection counts as one request; an account may have ${MAX_STREAMS} open streams in each process. The key is sent in
\`X-API-Key\`, which the \`EventSource\` of browsers cannot do: use \`fetch\` or a library on top of it.`;
const JOB = '{"jobId":"0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11","status":"Completed","totalRecipients":500,';
const COUNTS = '"successfullySent":495,"failed":5,"progressPercentage":100';
const LIST_ITEM = `"kind":"Import","templateName":"order_update","languageCode":"en_US","reference":null,"createdAt":"2026-01-15T09:29:00.000Z","startedAt":"2026-01-15T09:29:01.000Z","completedAt":"2026-01-15T09:30:00.000Z"`;
const ofStream = (description: string, example: string) => ({
  description,
  content: { 'text/event-stream': { schema: { type: 'string' as const }, example } },
});

/** What happens now, as streams of events. */
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
    description: `The progress of a job as it changes: the body of \`GET /bulk-jobs/{jobId}/status\`, now and after each change. When every recipient has its final outcome, \`event: end\` follows with the same body and the stream ends. ${STREAM}`,
  })
  @ApiOkResponse(
    ofStream(
      'The events; those without a type are the progress.',
      `id: Zk3nWq0u7pXy1aBc\ndata: ${JOB}${COUNTS}}\n\nevent: end\nid: end-Zk3nWq0u7pXy1aBc\ndata: ${JOB}${COUNTS}}\n\n`,
    ),
  )
  @ApiNoContentResponse({ description: 'The job is done and `Last-Event-ID` names its `end`: do not connect again.' })
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
    description: `Everything that a dashboard shows, as it changes. \`event: job\` is a job as \`GET /bulk-jobs\` lists it. \`event: conversation\` is \`{conversationId, unreadCount}\`; 0 when it was read; only keys with the scope \`messaging:read\` get these. The stream begins with the present state: the jobs that run or wait, those that were created or changed in the last ${LIVE_SECONDS} seconds, and the unread conversations, of these the ${MAX_UNREAD_CONVERSATIONS} with the latest messages; unlisted conversations are read. Of more than ${MAX_RUNNING_JOBS} running jobs it begins with those that changed last. ${STREAM}`,
  })
  @ApiOkResponse(
    ofStream(
      'The events.',
      `event: job\nid: pB4vT1mK9sQe7rLd\ndata: ${JOB}${COUNTS},${LIST_ITEM}}\n\nevent: conversation\nid: Hs82kLq0vNw5tYzE\ndata: {"conversationId":"0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a22","unreadCount":2}\n\n`,
    ),
  )
  @ApiErrors(TooManyStreamsError)
  watchAccount(
    @CurrentCaller() { accountId, scopes }: Caller,
    @Headers('last-event-id') lastId: string | undefined,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): void {
    const withConversations = scopesInclude(scopes, 'messaging:read');
    const stream = this.streams.begin(accountId, request, response);
    this.updates.watchAccount(accountId, withConversations, stream, lastId ?? null);
  }
}
