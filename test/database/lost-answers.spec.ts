import { JOB_SCENARIOS } from '../support/lost-answers/job-scenarios';
import type { Scenario } from '../support/lost-answers/scenario';
import { SteppedService } from '../support/lost-answers/stepped-service';

const SCENARIOS: Readonly<Record<string, Scenario>> = { ...JOB_SCENARIOS };

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
    // What a process believes after a loss holds until its leases have run out.
    if (answers.lost > lostBefore) await between();
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
