import { ConnectionGate, NoConnectionError } from './connection-gate';

const REFUSED = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('ConnectionGate', () => {
  let clock: jest.SpyInstance<number>;
  let now: number;
  let attempts: { succeed: () => void; fail: () => void }[];
  let gate: ConnectionGate;

  beforeEach(() => {
    now = 0;
    clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    attempts = [];
    gate = new ConnectionGate();
  });

  afterEach(() => clock.mockRestore());

  const open = () =>
    gate
      .open(() => new Promise((resolve, reject) => attempts.push({ succeed: resolve, fail: () => reject(REFUSED) })))
      .then(
        () => 'open',
        (error: unknown) => (error instanceof NoConnectionError ? `closed: ${error.message}` : error),
      );
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('makes one of several concurrent attempts first, and the others once it succeeds', async () => {
    const openings = [open(), open(), open()];
    expect(attempts).toHaveLength(1);
    attempts[0]!.succeed();
    await settled();
    expect(attempts).toHaveLength(3);
    attempts[1]!.succeed();
    attempts[2]!.succeed();
    expect(await Promise.all(openings)).toEqual(['open', 'open', 'open']);
  });

  it('fails all waiting calls if the first is refused, and every call for the next second', async () => {
    const openings = [open(), open(), open()];
    attempts[0]!.fail();
    expect(await Promise.all(openings)).toEqual(Array(3).fill('closed: connect ECONNREFUSED'));
    now = 999;
    expect(await open()).toBe('closed: connect ECONNREFUSED');
    expect(attempts).toHaveLength(1);
  });

  it('makes one attempt after a second; meanwhile all other calls fail immediately', async () => {
    const first = open();
    attempts[0]!.fail();
    await first;
    now = 1000;
    const probe = open();
    expect(await open()).toBe('closed: connect ECONNREFUSED');
    now = 7000;
    expect(await open()).toBe('closed: connect ECONNREFUSED');
    expect(attempts).toHaveLength(2);
    attempts[1]!.succeed();
    expect(await probe).toBe('open');
    const next = open();
    attempts[2]!.succeed();
    expect(await next).toBe('open');
  });
});
