import { createHash } from 'node:crypto';
import { BulkJobDto, BulkJobStatusDto } from '../../bulk-jobs/adapters/bulk-jobs.dto';
import type { JobProgress } from '../../bulk-jobs/domain/live-jobs';
import type { LiveEvent } from '../domain/topic';

/** Prefix of the ids of `end` events: a client that has received one has all events of the job. */
const END_PREFIX = 'end-';

/** The events of one job: its progress and, once it is done, `end`. */
export function jobEvents(progress: JobProgress): Map<string, LiveEvent> {
  const body = BulkJobStatusDto.of(progress);
  const events = new Map([['status', eventOf('message', body)]]);
  if (progress.job.completedAt !== null) events.set('end', { ...eventOf('end', body, END_PREFIX), isLast: true });
  return events;
}

/** The event of a job in its account's stream. */
export function jobListEvent(progress: JobProgress): LiveEvent {
  return eventOf('job', BulkJobDto.of(progress));
}

/** The event of a conversation's unread messages; `lastMessageAt`, if wanted: the time of its latest message, which may be one to the person. */
export function conversationEvent(conversationId: string, unreadCount: number, lastMessageAt?: Date): LiveEvent {
  return eventOf('conversation', { conversationId, unreadCount, lastMessageAt });
}

/** Whether the client has already received the `end` of its job. */
export function hasEnd(lastEventId: string | undefined): boolean {
  return lastEventId?.startsWith(END_PREFIX) === true;
}

/** `message` is the default type of server-sent events, so its line is omitted. */
function eventOf(type: 'message' | 'end' | 'job' | 'conversation', body: object, idPrefix = ''): LiveEvent {
  const data = JSON.stringify(body);
  const id = idPrefix + createHash('sha256').update(data).digest('base64url').slice(0, 16);
  return { id, text: `${type === 'message' ? '' : `event: ${type}\n`}id: ${id}\ndata: ${data}\n\n` };
}
