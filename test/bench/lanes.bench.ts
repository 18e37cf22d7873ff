import { anotherAccount } from '../support/process/accounts';
import { phones, sendTo } from '../support/process/bulk';
import { KEY } from '../support/process/service';
import type { Benchmark, BenchmarkPlace } from './support/benchmark';
import type { Figure } from './support/figures';
import { heldRate } from './support/ledger';
import { inProduction } from './support/production';

const LANES = 12;
const PACE = 80;
/** The first shows the capacity of the machine. */
const LATENCIES_MS = [50, 3000];
/** Pace times latency are in flight; the rest is for slower responses. */
const CONNECTIONS = 4096;
/** Time until the first responses have shown the latency. */
const WARM_UP_SECONDS = 12;
const SECONDS = 20;

/** Whether several senders keep their pace in one worker on a slow platform. */
export const lanesBenchmark: Benchmark = {
  name: 'lanes',
  question: `${LANES} senders of ${PACE}/s in one worker, at a platform that answers fast or slowly`,
  async run(place) {
    const figures: Figure[] = [];
    for (const latencyMs of LATENCIES_MS) {
      const rate = await runLanes(place, latencyMs);
      if (rate === null) continue;
      figures.push({
        what: `accepted at ${latencyMs} ms, of ${LANES * PACE}/s`,
        unit: 'messages/s',
        ours: [rate],
        limits: [{ of: 'ours', bound: 'at least', value: 0.97 * LANES * PACE }],
      });
    }
    return figures;
  },
};

function runLanes(place: BenchmarkPlace, latencyMs: number): Promise<number | null> {
  const settings = {
    platform: { messagesPerSecond: 0, statuses: false, latencyMs, autoCreateSenders: true },
    pace: PACE,
    env: { PLATFORM_CONNECTIONS: String(CONNECTIONS) },
  };
  return inProduction(place, settings, async ({ api, worker: startWorker }, sandbox) => {
    const keys = [KEY];
    while (keys.length < LANES) keys.push((await anotherAccount(api.client, { messagesPerSecond: PACE })).key);
    const each = PACE * (WARM_UP_SECONDS + SECONDS + 10);
    for (const [lane, key] of keys.entries()) await sendTo(api.client, phones(each, lane * each), {}, key);
    const worker = await startWorker();
    await new Promise((done) => setTimeout(done, (WARM_UP_SECONDS + SECONDS + 5) * 1000));
    await worker.kill();
    return heldRate(sandbox.url, WARM_UP_SECONDS, SECONDS);
  });
}
