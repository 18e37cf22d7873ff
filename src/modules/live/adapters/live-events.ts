import { createHash } from 'node:crypto';
import { BulkJobDto, BulkJobStatusDto } from '../../bulk-jobs/adapters/bulk-jobs.dto';
import type { JobProgress } from '../../bulk-jobs/domain/live-jobs';
import type { LiveEvent } from '../domain/topic';

/** The id of every `end` begins with this: the client that has it has all events of the job. */
const END = 'end-';

/** The events of one job: its progress and, once it is done, the end. */
export function eventsOfJob(progress: JobProgress): Map<string, LiveEvent> {
  const body = BulkJobStatusDto.of(progress);
  const events = new Map([['status', eventOf('message', body)]]);
  if (progress.job.completedAt !== null) events.set('end', { ...eventOf('end', body, END), isLast: true });
  return events;
}

/** A job in the stream of its account. */
export function eventOfJob(progress: JobProgress): LiveEvent {
  return eventOf('job', BulkJobDto.of(progress));
}

/** How much of a conversation is unread. */
export function eventOfConversation(conversationId: string, unreadCount: number): LiveEvent {
  return eventOf('conversation', { conversationId, unreadCount });
}

/** Whether a client has the end of a job already, by the id of the last event that it got. */
export function hasEnd(lastEventId: string | undefined): boolean {
  return lastEventId?.startsWith(END) === true;
}

/** Events of type `message` are those that a client gets without naming a type. */
function eventOf(type: 'message' | 'end' | 'job' | 'conversation', body: object, idPrefix = ''): LiveEvent {
  const data = JSON.stringify(body);
  const id = idPrefix + createHash('sha256').update(data).digest('base64url').slice(0, 16);
  return { id, text: `${type === 'message' ? '' : `event: ${type}\n`}id: ${id}\ndata: ${data}\n\n` };
}
