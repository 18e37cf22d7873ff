import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { PlatformContact, type PlatformReach } from './platform-contact';

const ANSWER = { kind: 'answer', status: 200, body: {} } as const;
const SILENCE = { kind: 'no_answer', reason: 'no response in time' } as const;
const REFUSED = { kind: 'not_sent', reason: 'ECONNREFUSED: connect ECONNREFUSED 10.1.2.3:443' } as const;

describe('PlatformContact', () => {
  let now: number;
  let trials: number;
  let tried: PlatformReach;
  let contact: PlatformContact;

  beforeEach(() => {
    now = 1_000_000;
    trials = 0;
    tried = { ok: true };
    contact = new PlatformContact(new URL('https://platform.test'), { monotonic: () => now }, () => {
      trials++;
      return Promise.resolve(tried);
    });
  });

  it('tries a connection where no call was made for 30 s, and not again for as long', async () => {
    expect(await contact.check()).toEqual({ ok: true });
    now += 29_000;
    await contact.check();
    expect(trials).toBe(1);
    now += 2000;
    tried = { ok: false, reason: 'ENOTFOUND' };
    expect(await contact.check()).toEqual(tried);
    expect(trials).toBe(2);
  });

  it('makes one trial for many who ask at once', async () => {
    await Promise.all([contact.check(), contact.check(), contact.check()]);
    expect(trials).toBe(1);
  });

  it('believes the last call instead of trying, whatever it was answered', async () => {
    contact.heard(ANSWER);
    expect(await contact.check()).toEqual({ ok: true });
    contact.heard({ kind: 'no_answer', reason: 'HTTP 502' });
    expect(await contact.check()).toEqual({ ok: true });
    expect(trials).toBe(0);
  });

  it('tells by its code why a call could not leave, and no address', async () => {
    contact.heard(REFUSED);
    expect(await contact.check()).toEqual({ ok: false, reason: 'ECONNREFUSED' });
    contact.heard(ANSWER);
    expect(await contact.check()).toEqual({ ok: true });
  });

  it('takes 5 calls without an answer in a row as an unavailable platform, until one is answered', async () => {
    for (let call = 1; call <= 4; call++) contact.heard(SILENCE);
    expect(await contact.check()).toEqual({ ok: true });
    contact.heard(SILENCE);
    expect(await contact.check()).toEqual({ ok: false, reason: 'the last 5 calls got no response' });
    now += 60_000;
    expect((await contact.check()).ok).toBe(false);
    contact.heard(ANSWER);
    expect(await contact.check()).toEqual({ ok: true });
  });

  it('forgets an old silence when nobody has called since', async () => {
    for (let call = 1; call <= 5; call++) contact.heard(SILENCE);
    now += 91_000;
    expect(await contact.check()).toEqual({ ok: true });
    expect(trials).toBe(1);
  });

  it('knows a server that listens from one that does not, without a word to it', async () => {
    let heard = '';
    const server = createServer((socket) => socket.on('data', (bytes) => (heard += bytes.toString())));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await new PlatformContact(url, { monotonic: () => now }).check()).toEqual({ ok: true });
    server.close();
    await once(server, 'close');
    expect(heard).toBe('');
    expect(await new PlatformContact(url, { monotonic: () => now }).check()).toEqual({
      ok: false,
      reason: 'ECONNREFUSED',
    });
  });
});
