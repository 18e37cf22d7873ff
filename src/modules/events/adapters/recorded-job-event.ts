import type { EventType, JobEventDetail } from '../domain/event';
import { eventText } from '../domain/event-outbox';

/** A job event in `webhook_outbox.job_event`: the columns of the job after the change; times are ISO 8601 texts. */
export interface RecordedJobEvent {
  type: EventType & `job.${string}`;
  /** Whether its body is a list, as of endpoints with `maxEvents` above 1. */
  in_list: boolean;
  /** Why and until when a throttled job waits; null until: unknown. */
  waits_for: string | null;
  waits_until: string | null;
  job: RecordedJob;
}

interface RecordedJob {
  id: string;
  status: string;
  kind: string;
  template_name: string;
  language_code: string;
  reference: string | null;
  total_recipients: number;
  successfully_sent: number;
  failed: number;
  pause_problem: string | null;
  pause_reason: string | null;
  error_code: string | null;
  error_message: string | null;
}

/** The body of a recorded event that happened `at`; the same bytes for every attempt. */
export function jobEventBody(recorded: RecordedJobEvent, at: Date): string {
  const { type, in_list: isInList, job } = recorded;
  const data: JobEventDetail = {
    jobId: job.id,
    status: job.status,
    kind: job.kind,
    templateName: job.template_name,
    languageCode: job.language_code,
    reference: job.reference,
    totalRecipients: job.total_recipients,
    successfullySent: job.successfully_sent,
    failed: job.failed,
    reason: reasonOf(recorded),
  };
  const text = eventText(type, at, data);
  return isInList ? `{"events":[${text}]}` : text;
}

function reasonOf({ type, waits_for: waitsFor, waits_until: until, job }: RecordedJobEvent): JobEventDetail['reason'] {
  switch (type) {
    case 'job.throttled':
      return { code: waitsFor!, message: null, until: until && new Date(until).toISOString() };
    case 'job.paused':
      return { code: job.pause_problem ?? 'paused_by_client', message: job.pause_reason, until: null };
    case 'job.failed':
    case 'job.cancelled':
      return job.error_code === null ? null : { code: job.error_code, message: job.error_message, until: null };
    case 'job.started':
    case 'job.completed':
      return null;
  }
}
