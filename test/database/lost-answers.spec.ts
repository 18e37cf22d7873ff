import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_SCENARIOS } from '../support/lost-answers/event-scenarios';
import { IMPORT_SCENARIOS } from '../support/lost-answers/import-scenarios';
import { JOB_SCENARIOS } from '../support/lost-answers/job-scenarios';
import { PLATFORM_SCENARIOS } from '../support/lost-answers/platform-scenarios';
import type { Scenario } from '../support/lost-answers/scenario';
import { SENDING_SCENARIOS } from '../support/lost-answers/sending-scenarios';
import { SteppedService } from '../support/lost-answers/stepped-service';
import { UPKEEP_SCENARIOS } from '../support/lost-answers/upkeep-scenarios';

const SOURCES = join(__dirname, '../../src');
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  ...JOB_SCENARIOS,
  ...IMPORT_SCENARIOS,
  ...EVENT_SCENARIOS,
  ...UPKEEP_SCENARIOS,
  ...PLATFORM_SCENARIOS,
  ...SENDING_SCENARIOS,
};
/** Loops without a statement. */
const WITHOUT = ['event_streams', 'event_stream_callers', 'media_store'];

/** Losing the embedded database's only connection would lose the database: there the rounds run without a loss. */
const LOSES = Boolean(process.env.DATABASE_URL);

describe('A lost response of the database', () => {
  let service: SteppedService;

  beforeAll(async () => {
    service = await SteppedService.start();
  }, 60_000);
  afterAll(() => service?.close());

  /** Loses the `nth` response of the rounds, 0: none; returns the result and the number of responses. */
  async function trial({ loops, prepare }: Scenario, nth: number): Promise<{ outcome: unknown; answers: number }> {
    const { answers } = service;
    const { work, ended, expire, outcome, laterRounds = 2 } = await prepare(service);
    const lostBefore = answers.lost;
    const between = async () => {
      await answers.noticed();
      await expire?.();
    };
    const round = async () => {
      for (const loop of loops) await service.round(loop, between);
      await work?.().catch(between);
      await ended?.();
    };
    answers.lose(nth);
    await round();
    const answered = answers.answered;
    answers.lose(0);
    if (answers.lost > lostBefore) await answers.noticed();
    for (let later = 0; later < laterRounds; later++) {
      await expire?.();
      await round();
    }
    return { outcome: await outcome(), answers: answered };
  }

  it.each(Object.entries(SCENARIOS))(
    'does not change the result of %s, for any statement',
    async (_, scenario) => {
      const { outcome, answers } = await trial(scenario, 0);
      expect(answers).toBeGreaterThan(0);
      for (let nth = 1; nth <= answers && LOSES; nth++) {
        expect({ nth, ...(await trial(scenario, nth)) }).toMatchObject({ nth, outcome });
      }
    },
    300_000,
  );

  it('is tested on every loop and every repeated write', () => {
    const tried = Object.values(SCENARIOS).flatMap(({ loops, writers = [] }) => [...loops, ...writers]);
    expect(namesOfLoops().filter((name) => !tried.includes(name) && !WITHOUT.includes(name))).toEqual([]);
    expect(service.names.filter((name) => !tried.includes(name) && !WITHOUT.includes(name))).toEqual([]);
  });
});

/** The names of loops and repeated writes in the sources; each must be a literal. */
function namesOfLoops(): string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!spec)\.ts$/.test(file),
  );
  const named = /(?:new (?:Loop|PerSenderSchedule)\(|super\([^;{]*\{\s*name:|retryAs:)[^;]*?'([a-z_]+)'/g;
  return files.flatMap((file) =>
    [...readFileSync(join(SOURCES, file), 'utf8').matchAll(named)].map(([, name]) => name!),
  );
}
