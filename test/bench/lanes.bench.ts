import { anotherAccount } from '../support/process/accounts';
import { phones, sendTo } from '../support/process/bulk';
import { KEY } from '../support/process/service';
import type { Benchmark, BenchmarkPlace } from './support/benchmark';
import type { Figure } from './support/figures';
import { heldRate } from './support/ledger';
import { inProduction } from './support/production';

const LANES = 12;
const PACE = 80;
/** The first shows what the machine allows, whatever else it does. */
const LATENCIES_MS = [50, 3000];
/** Pace times latency are under way; the rest is for answers that take longer than usual. */
const CONNECTIONS = 4096;
/** Until the first answers have shown how long they take. */
const UNDER_WAY_SECONDS = 12;
const SECONDS = 20;

/** Whether several senders keep their pace in one worker at a platform that takes its time. */
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
    const each = PACE * (UNDER_WAY_SECONDS + SECONDS + 10);
    for (const [lane, key] of keys.entries()) await sendTo(api.client, phones(each, lane * each), {}, key);
    const worker = await startWorker();
    await new Promise((done) => setTimeout(done, (UNDER_WAY_SECONDS + SECONDS + 5) * 1000));
    await worker.kill();
    return heldRate(sandbox.url, UNDER_WAY_SECONDS, SECONDS);
  });
}
