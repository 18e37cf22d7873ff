import { EVENT_SCENARIOS } from '../support/lost-answers/event-scenarios';
import { JOB_SCENARIOS } from '../support/lost-answers/job-scenarios';
import { PLATFORM_SCENARIOS } from '../support/lost-answers/platform-scenarios';
import type { Scenario } from '../support/lost-answers/scenario';
import { SteppedService } from '../support/lost-answers/stepped-service';
import { UPKEEP_SCENARIOS } from '../support/lost-answers/upkeep-scenarios';

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  ...JOB_SCENARIOS,
  ...EVENT_SCENARIOS,
  ...UPKEEP_SCENARIOS,
  ...PLATFORM_SCENARIOS,
};

describe('A lost answer of the database', () => {
  let service: SteppedService;

  beforeAll(async () => {
    service = await SteppedService.start();
  }, 60_000);
  afterAll(() => service?.close());

  /** Loses the `nth` answer of the rounds, 0: none; the result, and how many answers there were. */
  async function trial({ loops, prepare }: Scenario, nth: number): Promise<{ outcome: unknown; answers: number }> {
    const { answers } = service;
    const { ended, expire, outcome } = await prepare(service);
    const lostBefore = answers.lost;
    answers.lose(nth);
    const between = async () => {
      await answers.noticed();
      await expire?.();
    };
    for (const loop of loops) await service.round(loop, between);
    await ended?.();
    const answered = answers.answered;
    answers.lose(0);
    if (answers.lost > lostBefore) await answers.noticed();
    await expire?.();
    for (const loop of loops) await service.round(loop, between);
    await ended?.();
    return { outcome: await outcome(), answers: answered };
  }

  it.each(Object.entries(SCENARIOS))('changes nothing of %s, whichever statement it is of', async (_, scenario) => {
    const { outcome, answers } = await trial(scenario, 0);
    expect(answers).toBeGreaterThan(0);
    console.log(_, answers, JSON.stringify(outcome));
    for (let nth = 1; nth <= answers; nth++) {
      expect({ nth, ...(await trial(scenario, nth)) }).toMatchObject({ nth, outcome });
    }
  });
});
