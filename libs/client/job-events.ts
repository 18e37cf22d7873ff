import type { BulkJobStatusDto } from './generated/types.gen';

/** The status and counts of a job. */
export type JobProgress = BulkJobStatusDto;

/** Final job statuses. */
const FINAL: readonly JobProgress['status'][] = ['Completed', 'Failed', 'Cancelled'];

const END = { value: undefined, done: true } as const;

/** Whether the status is final. Until `completedAt` is set, results of requests in flight are still counted. */
export function isOver({ status }: Pick<JobProgress, 'status'>): boolean {
  return FINAL.includes(status);
}

/** Parses a stream of server-sent events; ends when the stream ends or is interrupted. */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ event: string; text: string }> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(() => END);
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n').split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = block.split('\n').map((line) => /^(event|data): ?(.*)$/.exec(line));
        const event = fields.find((field) => field?.[1] === 'event')?.[2] ?? 'message';
        const text = fields.flatMap((field) => (field?.[1] === 'data' ? [field[2]] : [])).join('\n');
        // Keep-alive comments have no data.
        if (text !== '') yield { event, text };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
