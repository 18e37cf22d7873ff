/** Sent with every attempt and returned with its statuses: the message, and the recipient of a job. */
export interface AttemptTrace {
  messageId: string;
  attempt: number;
  /** Null for a single send. */
  recipient: { jobId: string; position: number } | null;
}

const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const FORM = new RegExp(`^(${UUID})\\.(\\d{1,10})(?:\\.(${UUID})\\.(\\d{1,10}))?$`);
/** Largest attempt or position in the database. */
const LARGEST_NUMBER = 2 ** 31 - 1;

/** Parses `<messageId>.<attempt>` or `<messageId>.<attempt>.<jobId>.<position>`; returns null for foreign data. */
export function readAttemptTrace(text: string | null): AttemptTrace | null {
  const [, messageId, attemptText, jobId, positionText] = FORM.exec(text ?? '') ?? [];
  const attempt = Number(attemptText);
  if (messageId === undefined || attempt < 1 || attempt > LARGEST_NUMBER) return null;
  if (jobId === undefined) return { messageId, attempt, recipient: null };
  const position = Number(positionText);
  return position >= 1 && position <= LARGEST_NUMBER ? { messageId, attempt, recipient: { jobId, position } } : null;
}
