import { newUnrecordedTrace, withoutSpans } from '../../../kernel/request-context';
import { isTracing, type SpanPace, startSpan } from '../../../kernel/tracing';
import type { ClaimedSingleSend } from '../../sending/domain/single-sends';
import type { LaneJob } from './lane-job-store.port';

/** First attempts, or later ones. */
export type ClaimKind = 'first' | 'later';

/** A claim of recipients of one job. */
export interface RecipientClaim {
  job: LaneJob;
  senderId: string;
  recipients: number;
  kind: ClaimKind;
  /** Monotonic milliseconds. */
  begunAt: number;
  now: number;
}

/**
 * Records a claim as a span that links to the request of the job, at most one a second for each job, and returns the traces in which its
 * attempts are sent: only the first one records spans, so that the number of spans depends on time and not on recipients. A process that
 * records none sends all in the trace of the request, if it has one.
 */
export function traceClaim(
  { job, senderId, recipients, kind, begunAt, now }: RecipientClaim,
  pace: SpanPace,
): string[] {
  const request = job.traceparent ?? null;
  if (recipients === 0) return [];
  if (!isTracing()) return request === null ? [] : Array<string>(recipients).fill(request);
  const quiet = withoutSpans(request ?? newUnrecordedTrace());
  if (!pace.admits(now)) return Array<string>(recipients).fill(quiet);
  const span = startSpan({
    name: 'claim recipients',
    kind: 'consumer',
    parent: null,
    links: request === null ? [] : [request],
    begunMsAgo: now - begunAt,
    attributes: {
      'messaging.account_id': job.accountId,
      'messaging.job_id': job.id,
      'messaging.sender_id': senderId,
      'messaging.attempts': kind,
      'messaging.batch.message_count': recipients,
    },
  });
  span?.end();
  const claim = span?.traceparent ?? quiet;
  return [claim, ...Array<string>(recipients - 1).fill(withoutSpans(claim))];
}

/** Records the claim of a waiting single send in the trace of its request; returns the trace in which it is sent, if any. */
export function traceSingle({ send, message }: ClaimedSingleSend): string | undefined {
  const span = startSpan({
    name: 'claim message',
    kind: 'consumer',
    parent: send.traceparent ?? null,
    attributes: {
      'messaging.account_id': message.accountId,
      'messaging.message.id': send.messageId,
      'messaging.attempt': send.attempt,
    },
  });
  span?.end();
  return span?.traceparent ?? send.traceparent ?? undefined;
}
