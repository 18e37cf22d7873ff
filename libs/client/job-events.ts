import type { BulkJobStatusDto } from './generated/types.gen';

/** Where a job stands, as the service tells it. */
export type JobProgress = BulkJobStatusDto;

/** States that a job never leaves. */
const FINAL: readonly JobProgress['status'][] = ['Completed', 'Failed', 'Cancelled'];

const CUT = { value: undefined, done: true } as const;

/** Whether the job has a state that it never leaves. What was under way then is counted until its `completedAt`. */
export function isOver({ status }: Pick<JobProgress, 'status'>): boolean {
  return FINAL.includes(status);
}

/** What a stream of server-sent events tells, event by event; it ends where the stream ends or is cut. */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ event: string; text: string }> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(() => CUT);
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n').split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = block.split('\n').map((line) => /^(event|data): ?(.*)$/.exec(line));
        const event = fields.find((field) => field?.[1] === 'event')?.[2] ?? 'message';
        const text = fields.flatMap((field) => (field?.[1] === 'data' ? [field[2]] : [])).join('\n');
        // A comment, which only keeps the connection open, has no data.
        if (text !== '') yield { event, text };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
