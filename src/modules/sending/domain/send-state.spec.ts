import fc from 'fast-check';
import type { Answer } from './answer';
import {
  type AttemptAnswer,
  CANCELLED,
  MAX_STRIKES,
  OUTCOME_UNKNOWN,
  type Problem,
  RECIPIENT_ERASED,
  type SendState,
  settle,
  type SettleRules,
} from './send-state';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const LATER = new Date(NOW.getTime() + 60_000);
const RUNNING: SettleRules = { now: NOW, insteadOfRetry: null, waitsForJob: true, isUnclaimed: false };
const ENDED: SettleRules = { ...RUNNING, insteadOfRetry: { outcome: 'Cancelled', problem: CANCELLED } };
const OF_ERASED: SettleRules = { ...RUNNING, insteadOfRetry: { outcome: 'Skipped', problem: RECIPIENT_ERASED } };
const SINGLE: SettleRules = { ...RUNNING, waitsForJob: false };
const REFUSAL: Problem = { code: 'recipient_unreachable', message: 'No.', platformCode: 131026 };

const open: SendState = {
  attempt: 1,
  strikes: 0,
  throttles: 0,
  retryAt: null,
  unknownSince: null,
  outcome: null,
  problem: null,
};
const states = {
  open,
  waiting: { ...open, retryAt: LATER },
  Unknown: { ...open, outcome: 'Unknown', unknownSince: NOW },
  outcome_unknown: { ...open, outcome: 'Unknown', problem: OUTCOME_UNKNOWN },
  Sent: { ...open, outcome: 'Sent' },
  Failed: { ...open, outcome: 'Failed', problem: REFUSAL },
  Skipped: { ...open, outcome: 'Skipped', problem: REFUSAL },
  Cancelled: { ...open, outcome: 'Cancelled', problem: REFUSAL },
} satisfies Record<string, SendState>;

const outage = { kind: 'outage', suspect: 'platform', problem: 'platform_rejected', message: 'Try later.' } as const;
const answers = {
  accepted: { kind: 'accepted', platformMessageId: 'wamid.1' },
  'refused recipient': { kind: 'refused', scope: 'recipient', ...refusal() },
  'refused message': { kind: 'refused', scope: 'message', ...refusal() },
  'refused job': { kind: 'refused', scope: 'job', ...refusal() },
  throttled: { kind: 'throttled', scope: 'pace', message: 'Slower.', platformCode: 130429 },
  outage: { ...outage, platformCode: 131016 },
  not_sent: { kind: 'not_sent', reason: 'no connection' },
  held_back: { kind: 'held_back', reason: 'the lease was not sure' },
  unknown: { kind: 'unknown', reason: 'no response in time' },
  opted_out: { kind: 'opted_out' },
} satisfies Record<string, Answer>;

function refusal() {
  return { problem: REFUSAL.code, message: REFUSAL.message, platformCode: REFUSAL.platformCode };
}

type StateName = keyof typeof states;
type AnswerName = keyof typeof answers;
/** The new state: `same` is no change, `retry` waits for a retry. */
type Becomes = 'same' | 'Sent' | 'Failed' | 'Unknown' | 'Skipped' | 'Cancelled' | 'retry';

function becomes(state: SendState, answer: AttemptAnswer, rules: SettleRules): Becomes {
  const next = settle(state, answer, rules);
  if (!next) return 'same';
  if (next.outcome === null) return next.retryAt ? 'retry' : 'same';
  return next.outcome;
}

const FINAL = { accepted: 'same' } as const;
const refusedAlways = { 'refused recipient': 'Failed', 'refused message': 'Failed' } as const;
const TABLE: Record<StateName, Partial<Record<AnswerName, Becomes>>> = {
  open: {
    accepted: 'Sent',
    ...refusedAlways,
    'refused job': 'retry',
    throttled: 'retry',
    outage: 'retry',
    not_sent: 'retry',
    held_back: 'retry',
    opted_out: 'Skipped',
    unknown: 'Unknown',
  },
  // Its attempt was answered: only a proof of acceptance changes it.
  waiting: { accepted: 'Sent' },
  Unknown: {
    accepted: 'Sent',
    ...refusedAlways,
    'refused job': 'retry',
    throttled: 'retry',
    outage: 'retry',
    not_sent: 'retry',
    held_back: 'retry',
    opted_out: 'Skipped',
  },
  outcome_unknown: { accepted: 'Sent', ...refusedAlways },
  Sent: FINAL,
  Failed: FINAL,
  Skipped: FINAL,
  Cancelled: FINAL,
};
const CASES = (Object.keys(states) as StateName[]).flatMap((state) =>
  (Object.keys(answers) as AnswerName[]).map((answer): [StateName, AnswerName, Becomes] => [
    state,
    answer,
    TABLE[state][answer] ?? 'same',
  ]),
);

describe('The state of a message', () => {
  it.each(CASES)('that is %s, after "%s", becomes %s', (state, answer, expected) => {
    expect(becomes(states[state], { attempt: 1, answer: answers[answer] }, RUNNING)).toBe(expected);
  });

  it.each(CASES.filter(([, , expected]) => expected === 'retry'))(
    'that is %s, after "%s", is cancelled in an ended job',
    (state, answer) => {
      const next = settle(states[state], { attempt: 1, answer: answers[answer] }, ENDED);
      expect(next).toMatchObject({ outcome: 'Cancelled', retryAt: null, problem: { code: 'cancelled' } });
    },
  );

  it.each(CASES.filter(([, , expected]) => expected === 'retry'))(
    'that is %s, after "%s", is skipped for an erased recipient',
    (state, answer) => {
      const next = settle(states[state], { attempt: 1, answer: answers[answer] }, OF_ERASED);
      expect(next).toMatchObject({ outcome: 'Skipped', retryAt: null, problem: { code: 'recipient_erased' } });
    },
  );

  it.each(CASES.filter(([, , expected]) => expected !== 'retry'))(
    'that is %s, after "%s", becomes %s in an ended job too',
    (state, answer, expected) => {
      expect(becomes(states[state], { attempt: 1, answer: answers[answer] }, ENDED)).toBe(expected);
    },
  );

  it('fails after a job refusal if it is a single send', () => {
    const next = settle(open, { attempt: 1, answer: answers['refused job'] }, SINGLE);
    expect(next).toMatchObject({ outcome: 'Failed', problem: REFUSAL });
  });

  it("keeps the platform's reason for a refusal", () => {
    const next = settle(open, { attempt: 1, answer: answers['refused recipient'] }, RUNNING);
    expect(next).toEqual({ ...open, outcome: 'Failed', problem: REFUSAL });
  });

  it.each<AnswerName>(['refused recipient', 'refused job', 'throttled', 'outage', 'not_sent', 'unknown'])(
    'ignores "%s" for any attempt but the last',
    (answer) => {
      for (const attempt of [1, 3]) {
        expect(settle({ ...open, attempt: 2 }, { attempt, answer: answers[answer] }, RUNNING)).toBeNull();
      }
    },
  );

  it.each([
    ['its template', 'template', 134101],
    ['every template', 'templates', 131064],
  ] as const)('waits for a minute if the platform limits %s', (_, scope, platformCode) => {
    const limited: Answer = { ...answers.throttled, scope, platformCode };
    const next = settle(open, { attempt: open.attempt, answer: limited }, RUNNING);
    expect(next?.retryAt?.getTime()).toBe(RUNNING.now.getTime() + 60_000);
  });

  it('is final once any attempt is proven to be accepted', () => {
    const next = settle({ ...states.waiting, attempt: 3 }, { attempt: 1, answer: answers.accepted }, RUNNING);
    expect(next).toMatchObject({ outcome: 'Sent', retryAt: null, unknownSince: null, problem: null });
  });

  it('is no longer failed after a proof that arrives after the grace time', () => {
    const next = settle(states.outcome_unknown, { attempt: 1, answer: answers.accepted }, ENDED);
    expect(next).toMatchObject({ outcome: 'Sent', problem: null });
  });

  it('keeps the time since when it is unknown', () => {
    const next = settle(open, { attempt: 1, answer: answers.unknown }, RUNNING);
    expect(next).toMatchObject({ outcome: 'Unknown', unknownSince: NOW, problem: null });
    expect(settle(next!, { attempt: 1, answer: answers.unknown }, { ...RUNNING, now: LATER })).toBeNull();
  });

  it('is retried immediately after a pace throttle, without a strike', () => {
    const next = settle(open, { attempt: 1, answer: answers.throttled }, RUNNING);
    expect(next).toEqual({ ...open, retryAt: NOW });
  });

  it('waits 1, 4, 16 … seconds while its pair is throttled, at most 1024', () => {
    const waits: number[] = [];
    let state: SendState = open;
    for (let n = 0; n < 7; n++) {
      const answer: Answer = { ...answers.throttled, scope: 'pair' };
      state = settle(state, { attempt: 1, answer }, RUNNING)!;
      waits.push((state.retryAt!.getTime() - NOW.getTime()) / 1000);
      state = { ...state, retryAt: null };
    }
    expect(waits).toEqual([1, 4, 16, 64, 256, 1024, 1024]);
    expect(state.strikes).toBe(0);
  });

  it("fails at its fourth strike with the platform's reason", () => {
    let state: SendState = open;
    for (let strike = 1; strike < MAX_STRIKES; strike++) {
      state = settle(state, { attempt: 1, answer: answers.outage, strike: true }, RUNNING)!;
      expect(state).toMatchObject({ outcome: null, strikes: strike, problem: null });
      state = { ...state, retryAt: null };
    }

    state = settle(state, { attempt: 1, answer: answers.outage, strike: true }, RUNNING)!;
    expect(state).toMatchObject({ outcome: 'Failed', problem: { code: 'platform_rejected', platformCode: 131016 } });
  });

  it('is retried immediately after being held back', () => {
    const next = settle({ ...open, attempt: 9 }, { attempt: 9, answer: answers.held_back }, RUNNING);
    expect(next?.retryAt).toEqual(NOW);
  });

  it.each<[string, Answer, number[]]>([
    ['the platform was not reached', answers.not_sent, [0.5, 1, 2, 10, 10]],
    ['the failure may be specific to the recipient', { ...answers.outage, suspect: 'recipient' }, [0.5, 1, 2, 8, 8]],
    ['the platform fails', answers.outage, [0.5, 1, 2, 30, 30]],
  ])('waits twice as long after each attempt when %s', (_, answer, seconds) => {
    const waits = [1, 2, 3, 9, 3000].map((attempt) => {
      const next = settle({ ...open, attempt }, { attempt, answer }, RUNNING);
      return (next!.retryAt!.getTime() - NOW.getTime()) / 1000;
    });
    expect(waits).toEqual(seconds);
  });

  it('never fails because of outages without strikes', () => {
    let state: SendState = open;
    for (let n = 0; n < 20; n++) {
      state = { ...settle(state, { attempt: 1, answer: answers.outage, strike: false }, RUNNING)!, retryAt: null };
    }
    expect(state).toEqual(open);
  });

  it('does not count answers after the grace time as strikes', () => {
    const last = { ...states.outcome_unknown, strikes: 3 };
    expect(settle(last, { attempt: 1, answer: answers.outage, strike: true }, RUNNING)).toBeNull();
  });

  it('stays sent, fails only with a reason and waits only while it is open, for any sequence of answers', () => {
    const answered = fc.record({
      attempt: fc.integer({ min: 1, max: 4 }),
      answer: fc.constantFrom(...Object.values(answers)),
      strike: fc.boolean(),
      rules: fc.constantFrom(RUNNING, ENDED, OF_ERASED),
      claims: fc.boolean(),
      graceOver: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(answered, { maxLength: 30 }), (sequence) => {
        let state: SendState = open;
        for (const { rules, claims, graceOver, ...answer } of sequence) {
          const wasSent = state.outcome === 'Sent';
          state = settle(state, answer, rules) ?? state;
          if (claims && state.retryAt) state = { ...state, attempt: state.attempt + 1, retryAt: null };
          if (graceOver && state.unknownSince) state = { ...state, unknownSince: null, problem: OUTCOME_UNKNOWN };

          if (wasSent) expect(state.outcome).toBe('Sent');
          if (state.retryAt) expect(state.outcome).toBeNull();
          expect(state.unknownSince !== null).toBe(state.outcome === 'Unknown' && state.problem === null);
          expect(state.problem !== null).toBe(
            ['Failed', 'Cancelled', 'Skipped'].includes(state.outcome ?? '') ||
              (state.outcome === 'Unknown' && state.unknownSince === null),
          );
          expect(state.strikes).toBeLessThanOrEqual(MAX_STRIKES);
        }
      }),
    );
  });
});
