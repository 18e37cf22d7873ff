import type { Answer } from '../../sending/domain/answer';
import { LaneHealth } from './lane-health';

const accepted: Answer = { kind: 'accepted', platformMessageId: 'wamid.1' };
const throttled: Answer = { kind: 'throttled', scope: 'pace', message: 'Slower.', platformCode: 130429 };
const refused: Answer = { kind: 'refused', scope: 'recipient', problem: 'x', message: 'No.', platformCode: 1 };
const notSent: Answer = { kind: 'not_sent', reason: 'no connection' };
const unknown: Answer = { kind: 'unknown', reason: 'no answer' };
const outage = (suspect: 'platform' | 'recipient' = 'platform'): Answer => {
  return { kind: 'outage', suspect, problem: 'platform_rejected', message: 'Later.', platformCode: 131016 };
};

describe('The health of a lane', () => {
  let health: LaneHealth;

  beforeEach(() => {
    health = new LaneHealth();
  });

  /** `count` failures, each of another recipient, at one moment. */
  function fail(count: number, at: number, answer = outage()): void {
    for (let n = 0; n < count; n++) health.answered(`r${n}`, answer, at);
  }

  /** Sends the due probe, which fails; returns the time until the next one. */
  function failingProbe(at: number): number {
    expect(health.allowance(at)).toBe('probe');
    health.dispatched('probe', at);
    health.answered('probe', outage(), at);
    return health.untilProbe(at);
  }

  it('allows everything until five failures in a row', () => {
    fail(4, 0);
    expect(health.allowance(0)).toBe('all');
    fail(1, 0);
    expect(health.allowance(0)).toBe('nothing');
    expect(health.probing).toBe(true);
  });

  it.each([
    ['an outage', outage()],
    ['an unknown outcome', unknown],
    ['what was not sent', notSent],
  ])('counts %s as a failure', (_, answer) => {
    fail(5, 0, answer);
    expect(health.probing).toBe(true);
  });

  it.each([
    ['an acceptance', accepted],
    ['a refusal', refused],
    ['a throttle', throttled],
  ])('allows everything after %s', (_, answer) => {
    fail(4, 0);
    health.answered('x', answer, 0);
    fail(4, 0);
    expect(health.allowance(0)).toBe('all');
    fail(5, 0);
    health.answered('x', answer, 0);
    expect(health.allowance(0)).toBe('all');
  });

  it('does not treat failures of one or two recipients as an outage', () => {
    for (let n = 0; n < 50; n++) health.answered(`r${n % 2}`, outage(), n);
    expect(health.allowance(50)).toBe('all');
    health.answered('r2', outage(), 50);
    expect(health.allowance(50)).toBe('nothing');
  });

  it('probes after 1, 2, 4 … seconds, at most a minute apart', () => {
    fail(5, 0);
    expect(health.untilProbe(0)).toBe(1000);
    expect(health.allowance(999)).toBe('nothing');
    let now = 1000;
    const waits: number[] = [];
    for (let n = 0; n < 8; n++) {
      waits.push(failingProbe(now) / 1000);
      now += health.untilProbe(now);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('does not delay probes because of requests in flight when the outage began', () => {
    fail(160, 0);
    expect(health.untilProbe(0)).toBe(1000);
    fail(160, 900);
    expect(health.allowance(1000)).toBe('probe');
  });

  it('has one probe in flight at a time', () => {
    fail(5, 0);
    health.dispatched('probe', 0);
    expect(health.allowance(60_000)).toBe('nothing');
    fail(3, 60_000);
    expect(health.allowance(60_000)).toBe('nothing');
    health.answered('probe', unknown, 61_000);
    expect(health.untilProbe(61_000)).toBe(2000);
  });

  it('probes again immediately if a probe was held back', () => {
    fail(5, 0);
    health.dispatched('probe', 0);
    health.heldBack('probe');
    expect(health.allowance(1000)).toBe('probe');
  });

  it('starts at one second again in the next outage', () => {
    fail(5, 0);
    failingProbe(1000);
    health.answered('x', accepted, 3000);
    fail(5, 4000);
    expect(health.untilProbe(4000)).toBe(1000);
  });

  describe('counts a failure against its recipient', () => {
    it('if another one got a response since its previous attempt', () => {
      expect(health.answered('bad', outage(), 0)).toBe(false);
      expect(health.answered('bad', outage(), 100)).toBe(false);
      health.answered('good', accepted, 200);
      expect(health.answered('bad', outage(), 300)).toBe(true);
      expect(health.answered('bad', outage(), 400)).toBe(false);
    });

    it('but not if the request to the other one was sent before that attempt', () => {
      health.dispatched('slow', 0);
      expect(health.answered('bad', outage(), 100)).toBe(false);
      health.answered('slow', accepted, 200);
      expect(health.answered('bad', outage(), 300)).toBe(false);
      health.dispatched('good', 350);
      health.answered('good', accepted, 400);
      expect(health.answered('bad', outage(), 500)).toBe(true);
    });

    it('if another one got a response just before its first attempt', () => {
      health.answered('good', accepted, 1000);
      expect(health.answered('bad', outage(), 5900)).toBe(true);
      expect(health.answered('late', outage(), 6100)).toBe(false);
    });

    it.each([
      ['recipient', 20_000],
      ['platform', 300_000],
    ] as const)('if nothing else was tried for long and the failure suspects the %s', (suspect, ms) => {
      expect(health.answered('bad', outage(suspect), 0)).toBe(false);
      expect(health.answered('bad', outage(suspect), ms - 1)).toBe(false);
      expect(health.answered('bad', outage(suspect), ms)).toBe(true);
      expect(health.answered('new', outage(suspect), ms)).toBe(false);
    });

    it('never for an unknown outcome or a message that was not sent', () => {
      health.answered('good', accepted, 0);
      expect(health.answered('bad', unknown, 1)).toBe(false);
      expect(health.answered('bad', notSent, 2)).toBe(false);
      expect(health.answered('bad', throttled, 3)).toBe(false);
    });
  });
});
