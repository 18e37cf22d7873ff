import { platformSettings } from '../support/process/service';
import { startSandboxProcess } from './support/bare-process';
import type { Benchmark } from './support/benchmark';
import type { Figure } from './support/figures';
import { embeddedStore, type MeasuredService, startMeasured } from './support/measured-service';
import { inProduction } from './support/production';
import { writeRecipientList } from './support/recipient-lists';
import { upload } from './support/uploads';

const ROWS = 1_000_000;
const RUNNING_ROWS = 40_000;
const PACE = 80;
const PLATFORM = { messagesPerSecond: 0, statuses: false };
const BEFORE_MS = 10_000;
const POLL_MS = 50;

const LIMITS = { seconds: 12, statusMs: 250, megabytes: 300 } as const;

/** Whether a million rows can be imported while others use the service. */
export const importMillionBenchmark: Benchmark = {
  name: 'import-million',
  question: `upload of ${ROWS} rows while a job sends ${PACE} a second and its status is asked: to an API process beside a worker; to the embedded database, whose memory is the service's`,
  async run(place) {
    const settings = { platform: PLATFORM, pace: PACE };
    const production = await inProduction(place, settings, async ({ api, worker }) => {
      const sending = await worker();
      try {
        return figuresOf('PostgreSQL', await millionInto(api, place.folder), LIMITS);
      } finally {
        await sending.stop();
      }
    });
    return [...(production ?? []), ...(await onEmbedded(place.folder))];
  },
};

async function onEmbedded(folder: string): Promise<Figure[]> {
  const sandbox = await startSandboxProcess(PLATFORM);
  const store = await embeddedStore(folder);
  const service = await startMeasured(store, { ...platformSettings(sandbox.url), MESSAGES_PER_SECOND: String(PACE) });
  try {
    return figuresOf('embedded', await millionInto(service, folder));
  } finally {
    await service.stop();
    await sandbox.stop();
    await store.drop();
  }
}

async function millionInto(service: MeasuredService, folder: string) {
  const running = await upload(service, writeRecipientList(folder, 'csv', RUNNING_ROWS), RUNNING_ROWS);
  const list = writeRecipientList(folder, 'csv', ROWS);
  await sleep(1000);
  const before = await rateDuring(service, running.jobId, () => sleep(BEFORE_MS));
  let seconds = 0;
  const during = await rateDuring(service, running.jobId, async () => {
    seconds = (await upload(service, list, ROWS)).seconds;
  });
  return { seconds, before, during, megabytes: service.peakMegabytes() };
}

function figuresOf(
  where: string,
  { seconds, before, during, megabytes }: Awaited<ReturnType<typeof millionInto>>,
  limits?: typeof LIMITS,
): Figure[] {
  const figure = (what: string, unit: string, value: number, atMost?: number): Figure => ({
    ...{ what: `${what}, ${where}`, unit, ours: [value] },
    ...(atMost !== undefined && { limits: [{ of: 'ours', bound: 'at most', value: atMost }] }),
  });
  return [
    figure('upload until the 202', 's', seconds, limits?.seconds),
    figure('status call, p99 during the upload', 'ms', during.p99, limits?.statusMs),
    figure('status call, longest', 'ms', during.longest),
    figure('running job before the upload', 'messages/s', before.perSecond),
    figure('running job during the upload', 'messages/s', during.perSecond),
    figure('peak memory of the process', 'MB', megabytes, limits?.megabytes),
  ];
}

/** The speed of a job during `work`, and the duration of its status call. */
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
