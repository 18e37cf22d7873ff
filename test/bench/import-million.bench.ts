import type { Benchmark } from './support/benchmark';
import { embeddedStore, type MeasuredService, startMeasured } from './support/measured-service';
import { startSandboxProcess } from './support/bare-process';
import { writeRecipientList } from './support/recipient-lists';
import { upload } from './support/uploads';
import { platformSettings } from '../support/process/service';

const ROWS = 1_000_000;
const RUNNING_ROWS = 40_000;
const PACE = 80;
const BEFORE_MS = 10_000;
const POLL_MS = 50;

/** Whether a million rows may come in while others use the service. */
export const importMillionBenchmark: Benchmark = {
  name: 'import-million',
  question: 'upload of 1,000,000 rows to the embedded database while a job sends 80 a second and its status is asked',
  async run({ folder }) {
    const sandbox = await startSandboxProcess({ messagesPerSecond: 0, statuses: false });
    const store = await embeddedStore(folder);
    const service = await startMeasured(store, { ...platformSettings(sandbox.url), MESSAGES_PER_SECOND: String(PACE) });
    try {
      const running = await upload(service, writeRecipientList(folder, 'csv', RUNNING_ROWS), RUNNING_ROWS);
      const list = writeRecipientList(folder, 'csv', ROWS);
      await sleep(1000);
      const before = await rateDuring(service, running.jobId, () => sleep(BEFORE_MS));
      let imported = 0;
      const during = await rateDuring(service, running.jobId, async () => {
        imported = (await upload(service, list, ROWS)).seconds;
      });
      return [
        {
          what: 'upload until the 202',
          unit: 's',
          ours: [imported],
          limits: [{ of: 'ours', bound: 'at most', value: 12 }],
        },
        {
          what: 'status call, p99 during the upload',
          unit: 'ms',
          ours: [during.p99],
          limits: [{ of: 'ours', bound: 'at most', value: 250 }],
        },
        { what: 'status call, longest', unit: 'ms', ours: [during.longest] },
        { what: 'running job before the upload', unit: 'messages/s', ours: [before.perSecond] },
        { what: 'running job during the upload', unit: 'messages/s', ours: [during.perSecond] },
        {
          what: 'peak memory of the process',
          unit: 'MB',
          ours: [service.peakMegabytes()],
          limits: [{ of: 'ours', bound: 'at most', value: 300 }],
        },
      ];
    } finally {
      await service.stop();
      await sandbox.stop();
      await store.drop();
    }
  },
};

/** How fast a job goes on while `work` lasts, and how long its status call takes. */
async function rateDuring(service: MeasuredService, jobId: string, work: () => Promise<unknown>) {
  const times: number[] = [];
  const sent = async (): Promise<number> => {
    const begun = performance.now();
    const { status, body } = await service.client.get(`/bulk-jobs/${jobId}/status`);
    times.push(performance.now() - begun);
    if (status !== 200) throw new Error(`The status call was answered ${status}: ${JSON.stringify(body)}`);
    return body.successfullySent as number;
  };
  const begun = performance.now();
  const first = await sent();
  let last = first;
  let working = true;
  const polling = (async () => {
    while (working) {
      last = await sent();
      await sleep(POLL_MS);
    }
  })();
  await work();
  working = false;
  await polling;
  const seconds = (performance.now() - begun) / 1000;
  times.sort((a, b) => a - b);
  return {
    perSecond: (last - first) / seconds,
    p99: times[Math.floor(times.length * 0.99)]!,
    longest: times.at(-1)!,
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
