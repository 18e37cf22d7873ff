import { ReadingSlots } from './reading-slots';

const OPEN = new AbortController().signal;

describe('ReadingSlots', () => {
  const inside: string[] = [];
  const enter = (slots: ReadingSlots, account: string, name: string) =>
    slots.take(account, OPEN).then(() => inside.push(name));
  const settle = () => new Promise(setImmediate);

  beforeEach(() => {
    inside.length = 0;
  });

  it('lets in as many as there are slots, and the next one when one leaves', async () => {
    const slots = new ReadingSlots({ slots: 2, perAccount: 2, waitMs: 60_000 });
    await Promise.all([enter(slots, 'A', 'a'), enter(slots, 'B', 'b')]);
    const late = [enter(slots, 'C', 'c'), enter(slots, 'D', 'd')];
    await settle();
    expect(inside).toEqual(['a', 'b']);
    slots.giveBack('A');
    await late[0];
    expect(inside).toEqual(['a', 'b', 'c']);
    slots.giveBack('B');
    await late[1];
    slots.giveBack('C');
    await enter(slots, 'E', 'e');
    expect(inside).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('keeps slots for other accounts, however many files one account sends', async () => {
    const slots = new ReadingSlots({ slots: 3, perAccount: 2, waitMs: 60_000 });
    const flood = ['a1', 'a2', 'a3', 'a4'].map((name) => enter(slots, 'A', name));
    await settle();
    expect(inside).toEqual(['a1', 'a2']);
    await enter(slots, 'B', 'b1');
    const second = enter(slots, 'C', 'c1');
    slots.giveBack('A');
    await second;
    expect(inside).toEqual(['a1', 'a2', 'b1', 'c1']);
    slots.giveBack('B');
    slots.giveBack('C');
    slots.giveBack('A');
    await Promise.all(flood);
    expect(inside).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
  });

  it('refuses who has waited too long, with the time after which to try again', async () => {
    const slots = new ReadingSlots({ slots: 1, perAccount: 1, waitMs: 20 });
    await enter(slots, 'A', 'a');
    await expect(slots.take('B', OPEN)).rejects.toMatchObject({
      code: 'service_unavailable',
      kind: 'unavailable',
      retryAfterSeconds: 30,
    });
    slots.giveBack('A');
    await enter(slots, 'C', 'c');
    expect(inside).toEqual(['a', 'c']);
  });

  it('gives no slot to who has gone', async () => {
    const slots = new ReadingSlots({ slots: 1, perAccount: 1, waitMs: 60_000 });
    await enter(slots, 'A', 'a');
    const gone = new AbortController();
    const waiting = slots.take('B', gone.signal);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    slots.giveBack('A');
    await enter(slots, 'C', 'c');
    expect(inside).toEqual(['a', 'c']);
  });
});
