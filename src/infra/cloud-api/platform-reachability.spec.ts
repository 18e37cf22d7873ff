import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { PlatformReachability, type Reachability } from './platform-reachability';

const ANSWER = { kind: 'answer', status: 200, body: {} } as const;
const SILENCE = { kind: 'no_answer', reason: 'no response in time' } as const;
const REFUSED = { kind: 'not_sent', reason: 'ECONNREFUSED: connect ECONNREFUSED 10.1.2.3:443' } as const;

describe('PlatformReachability', () => {
  let now: number;
  let probes: number;
  let probeResult: Reachability;
  let reachability: PlatformReachability;

  beforeEach(() => {
    now = 1_000_000;
    probes = 0;
    probeResult = { ok: true };
    reachability = new PlatformReachability(new URL('https://platform.test'), { monotonic: () => now }, () => {
      probes++;
      return Promise.resolve(probeResult);
    });
  });

  it('opens a test connection after 30 s without a call, and at most every 30 s', async () => {
    expect(await reachability.check()).toEqual({ ok: true });
    now += 29_000;
    await reachability.check();
    expect(probes).toBe(1);
    now += 2000;
    probeResult = { ok: false, reason: 'ENOTFOUND' };
    expect(await reachability.check()).toEqual(probeResult);
    expect(probes).toBe(2);
  });

  it('shares one test connection among concurrent checks', async () => {
    await Promise.all([reachability.check(), reachability.check(), reachability.check()]);
    expect(probes).toBe(1);
  });

  it('uses the last call instead of a test connection, whatever its result', async () => {
    reachability.record(ANSWER);
    expect(await reachability.check()).toEqual({ ok: true });
    reachability.record({ kind: 'no_answer', reason: 'HTTP 502' });
    expect(await reachability.check()).toEqual({ ok: true });
    expect(probes).toBe(0);
  });

  it('reports the code of a call that was not sent, but no address', async () => {
    reachability.record(REFUSED);
    expect(await reachability.check()).toEqual({ ok: false, reason: 'ECONNREFUSED' });
    reachability.record(ANSWER);
    expect(await reachability.check()).toEqual({ ok: true });
  });

  it('reports the platform as unavailable after 5 unanswered calls, until one is answered', async () => {
    for (let call = 1; call <= 4; call++) reachability.record(SILENCE);
    expect(await reachability.check()).toEqual({ ok: true });
    reachability.record(SILENCE);
    expect(await reachability.check()).toEqual({ ok: false, reason: 'the last 5 calls got no response' });
    now += 60_000;
    expect((await reachability.check()).ok).toBe(false);
    reachability.record(ANSWER);
    expect(await reachability.check()).toEqual({ ok: true });
  });

  it('ignores unanswered calls older than 90 s', async () => {
    for (let call = 1; call <= 5; call++) reachability.record(SILENCE);
    now += 91_000;
    expect(await reachability.check()).toEqual({ ok: true });
    expect(probes).toBe(1);
  });

  it('detects whether a server listens, without sending data', async () => {
    let received = '';
    const server = createServer((socket) => socket.on('data', (bytes) => (received += bytes.toString())));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await new PlatformReachability(url, { monotonic: () => now }).check()).toEqual({ ok: true });
    server.close();
    await once(server, 'close');
    expect(received).toBe('');
    expect(await new PlatformReachability(url, { monotonic: () => now }).check()).toEqual({
      ok: false,
      reason: 'ECONNREFUSED',
    });
  });
});
