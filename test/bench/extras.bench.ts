import type { Benchmark } from './support/benchmark';
import { interleaved } from './support/figures';
import { inProduction, jobRate } from './support/production';
import { writeListWithMedia, writeRecipientList } from './support/recipient-lists';
import { upload } from './support/uploads';

/** Fewer to try it out: BENCH_RECIPIENTS=10000. */
const RECIPIENTS = Number(process.env.BENCH_RECIPIENTS ?? 100_000);
const PAIRS = 2;
const LATENCY_MS = 50;
const TEMPLATE = 'invoice_ready';
const SHARED = { templateName: TEMPLATE, headerMediaUrl: 'https://files.example.com/terms.pdf' };
const OWN = {
  templateName: TEMPLATE,
  columns: JSON.stringify({
    phone: 'Phone',
    values: ['Name', 'Order'],
    headerMediaUrl: 'Document',
    reference: 'Reference',
  }),
};

/** Whether documents and references of their own slow recipients down. */
export const extrasBenchmark: Benchmark = {
  name: 'extras',
  question: `jobs of ${RECIPIENTS} with a document and a reference for each recipient, against jobs with one document for all, platform at ${LATENCY_MS} ms`,
  async run(place) {
    const settings = { platform: { messagesPerSecond: 0, statuses: false, latencyMs: LATENCY_MS }, pace: 100_000 };
    const rates = await inProduction(place, settings, async ({ api, worker }) => {
      const sending = await worker();
      const rateOf = async (list: string, fields: Record<string, string>): Promise<number> => {
        const { jobId } = await upload(api, list, RECIPIENTS, fields);
        return jobRate(api, jobId, RECIPIENTS);
      };
      try {
        const [own, plain] = [
          writeListWithMedia(place.folder, RECIPIENTS),
          writeRecipientList(place.folder, 'csv', RECIPIENTS),
        ];
        return await interleaved(
          PAIRS,
          () => rateOf(own, OWN),
          () => rateOf(plain, SHARED),
        );
      } finally {
        await sending.stop();
      }
    });
    if (!rates) return [];
    return [
      {
        what: 'own document and reference, against one document for all',
        unit: 'messages/s',
        ...rates,
        limits: [{ of: 'ratio', bound: 'at least', value: 0.9 }],
      },
    ];
  },
};
