import { ServiceUnavailableError } from '../../../kernel/request.errors';
import { FairSlots, type SlotLimits } from './fair-slots';

const OPEN = new AbortController().signal;

class BusyError extends ServiceUnavailableError {
  override readonly retryAfterSeconds = 30;
}

describe('FairSlots', () => {
  const inside: string[] = [];
  const enter = (slots: FairSlots, account: string, name: string) =>
    slots.take(account, OPEN).then(() => inside.push(name));
  const slotsOf = (limits: SlotLimits) => new FairSlots(limits, () => new BusyError('busy'));
  const settle = () => new Promise(setImmediate);

  beforeEach(() => {
    inside.length = 0;
  });

  it('grants as many slots as there are, and the next one when one is released', async () => {
    const slots = slotsOf({ slots: 2, perAccount: 2, waitMs: 60_000 });
    await Promise.all([enter(slots, 'A', 'a'), enter(slots, 'B', 'b')]);
    const late = [enter(slots, 'C', 'c'), enter(slots, 'D', 'd')];
    await settle();
    expect(inside).toEqual(['a', 'b']);
    slots.release('A');
    await late[0];
    expect(inside).toEqual(['a', 'b', 'c']);
    slots.release('B');
    await late[1];
    slots.release('C');
    await enter(slots, 'E', 'e');
    expect(inside).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('keeps slots for other accounts, however many one account requests', async () => {
    const slots = slotsOf({ slots: 3, perAccount: 2, waitMs: 60_000 });
    const flood = ['a1', 'a2', 'a3', 'a4'].map((name) => enter(slots, 'A', name));
    await settle();
    expect(inside).toEqual(['a1', 'a2']);
    await enter(slots, 'B', 'b1');
    const second = enter(slots, 'C', 'c1');
    slots.release('A');
    await second;
    expect(inside).toEqual(['a1', 'a2', 'b1', 'c1']);
    slots.release('B');
    slots.release('C');
    slots.release('A');
    await Promise.all(flood);
    expect(inside).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
  });

  it('rejects a caller that has waited too long', async () => {
    const slots = slotsOf({ slots: 1, perAccount: 1, waitMs: 20 });
    await enter(slots, 'A', 'a');
    await expect(slots.take('B', OPEN)).rejects.toMatchObject({
      code: 'service_unavailable',
      kind: 'unavailable',
      retryAfterSeconds: 30,
    });
    slots.release('A');
    await enter(slots, 'C', 'c');
    expect(inside).toEqual(['a', 'c']);
  });

  it('grants the next slot to the account with the fewest, then to the caller that has waited longest', async () => {
    const slots = slotsOf({ slots: 2, perAccount: 2, waitMs: 60_000 });
    await Promise.all([enter(slots, 'A', 'a1'), enter(slots, 'A', 'a2')]);
    const waiting = ['a3', 'b1', 'c1'].map((name) => enter(slots, name[0]!.toUpperCase(), name));
    slots.release('A');
    await waiting[1];
    slots.release('A');
    await waiting[0];
    expect(inside).toEqual(['a1', 'a2', 'b1', 'a3']);
    slots.release('B');
    await waiting[2];
    expect(inside).toEqual(['a1', 'a2', 'b1', 'a3', 'c1']);
  });

  it('yields a slot only to an account with fewer slots', async () => {
    const slots = slotsOf({ slots: 2, perAccount: 2, waitMs: 60_000 });
    await Promise.all([enter(slots, 'A', 'a1'), enter(slots, 'A', 'a2')]);
    const own = enter(slots, 'A', 'a3');
    expect(slots.yieldSlot('A')).toBe(false);
    const other = enter(slots, 'B', 'b1');
    expect(slots.yieldSlot('A')).toBe(true);
    await other;
    expect(inside).toEqual(['a1', 'a2', 'b1']);
    slots.release('A');
    await own;
  });

  it('waits without a limit if requested', async () => {
    const slots = slotsOf({ slots: 1, perAccount: 1, waitMs: 1 });
    await enter(slots, 'A', 'a');
    const patient = slots.take('B', OPEN, null).then(() => inside.push('b'));
    await expect(slots.take('C', OPEN)).rejects.toThrow('busy');
    slots.release('A');
    await patient;
    expect(inside).toEqual(['a', 'b']);
  });

  it('grants no slot to an aborted caller', async () => {
    const slots = slotsOf({ slots: 1, perAccount: 1, waitMs: 60_000 });
    await enter(slots, 'A', 'a');
    const aborted = new AbortController();
    const waiting = slots.take('B', aborted.signal);
    aborted.abort(new Error('aborted'));
    await expect(waiting).rejects.toThrow('aborted');
    slots.release('A');
    await enter(slots, 'C', 'c');
    expect(inside).toEqual(['a', 'c']);
  });
});
