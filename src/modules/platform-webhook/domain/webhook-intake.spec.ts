import { FakeClock } from '../../../../test/fakes/fake-clock';
import { knownSenders } from '../../../../test/fakes/known-senders';
import { ParkedInMemory, TransientError } from '../../../../test/fakes/parked-in-memory';
import type { Sender } from '../../accounts/domain/sender';
import { TrafficMarks } from '../../accounts/domain/traffic-marks';
import { TooManyReportsError, WebhookSignatureError } from './platform-webhook.errors';
import type { InboundMessage, ReportedInbound } from '../../messages/domain/inbound-message';
import type { InboundReports } from './inbound-reports';
import { type OwnedNotice, type PlatformNotice, platformEvent } from './platform-notice';
import type { NoticeReports } from './notice-reports';
import type { StatusReports } from './status-reports';
import type { StatusUpdate } from '../../messages/domain/status-update';
import { WebhookIntake } from './webhook-intake';
import {
  type ReportedUpdate,
  WebhookProtocol,
  type WebhookReading,
  type WebhookRequest,
} from './webhook-protocol.port';
import { WebhookTelemetry } from './webhook-telemetry';

const SENDERS = [
  { id: 's1', accountId: 'a1', phoneNumberId: '11', businessAccountId: '1', appSecret: 'secret one' },
  { id: 's2', accountId: 'a2', phoneNumberId: '22', businessAccountId: '2', appSecret: 'secret two' },
  { id: 's3', accountId: 'a3', phoneNumberId: '33', businessAccountId: '3', appSecret: 'secret one' },
] as Sender[];

/** Records every call as a line. */
class RecordingTelemetry extends WebhookTelemetry {
  readonly notes: string[] = [];
  refused = () => void this.notes.push('refused');
  applied = (updates: readonly StatusUpdate[], unmatched: number) =>
    void this.notes.push(`applied ${updates.length} unmatched ${unmatched}`);
  received = (recorded: number, repeated: number) => void this.notes.push(`received ${recorded} repeated ${repeated}`);
  noticesApplied = (count: number) => void this.notes.push(`noticesApplied ${count}`);
  alerted = (kind: string, account: string, said: string) => void this.notes.push(`alerted ${kind} ${account} ${said}`);
  ignored = (kind: string, count: number) => void this.notes.push(`ignored ${kind} ${count}`);
  dropped = (account: string, count: number) => void this.notes.push(`dropped ${account} ${count}`);
  parked = (reason: string) => void this.notes.push(`parked ${reason}`);
  subscribed = () => undefined;
  notSubscribed = () => undefined;
  leftToOthers = () => undefined;
}

const status = (platformMessageId: string, phoneNumberId = '11'): ReportedUpdate => ({
  phoneNumberId,
  platformMessageId,
  status: 'sent',
  at: new Date(0),
  callbackData: null,
  recipient: null,
  problem: null,
  scope: null,
});
const reading = (businessAccountId: string, ...statuses: ReportedUpdate[]): WebhookReading => ({
  reports: [{ businessAccountId, statuses, messages: [], notices: [] }],
  ignored: new Map(),
});
const message = (platformMessageId: string, phoneNumberId = '11'): ReportedInbound => ({
  phoneNumberId,
  platformMessageId,
  phone: '4915112345678',
  userId: null,
  profileName: null,
  username: null,
  type: 'Text',
  content: { text: 'Hello' },
  changes: null,
  at: new Date(0),
  orderedAt: new Date(0),
  timestampMs: 0,
});
const readingOf = (
  businessAccountId: string,
  more: { messages?: ReportedInbound[]; notices?: PlatformNotice[] },
): WebhookReading => ({
  reports: [{ businessAccountId, statuses: [], messages: [], notices: [], ...more }],
  ignored: new Map(),
});
const event = (alert: string | null = null): PlatformNotice => ({
  kind: 'event',
  event: platformEvent({ kind: 'account_update', businessAccountId: '1', alert }, { time: 1, body: {} }),
});
const signed = (secret: string, body = '{"entry":'): WebhookRequest => ({
  body: Buffer.from(body),
  headers: { 'x-secret': secret },
});

/** A platform that sends its secret in a header; bodies are read as `readings` in turn, then fail to parse. */
class PlatformInMemory extends WebhookProtocol {
  readonly readings: WebhookReading[] = [];
  verificationAnswer = () => null;
  tried = 0;
  claimedAccounts = ({ body }: WebhookRequest) => new Set(body.toString().match(/\d+/g));
  signingSecret = ({ headers }: WebhookRequest, secrets: Iterable<string>) =>
    [...secrets].find((known) => this.tried++ >= 0 && known === headers['x-secret']) ?? null;
  read = () => {
    const reading = this.readings.shift();
    if (reading === undefined) throw new SyntaxError('Unexpected end');
    return reading;
  };
}

describe('The intake of webhooks', () => {
  let clock: FakeClock;
  let telemetry: RecordingTelemetry;
  let parked: ParkedInMemory;
  let platform: PlatformInMemory;
  let senders: Sender[];
  let marks: TrafficMarks;
  let intake: WebhookIntake;
  /** Ids of each attempted batch. */
  let batches: string[][];
  let applied: StatusUpdate[];
  let failure: (updates: readonly StatusUpdate[]) => Error | null;
  /** Resolves when the database has written a batch. */
  let written: Promise<void>;
  let received: InboundMessage[];
  let poison: string | null;
  let noticed: OwnedNotice[];

  beforeEach(() => {
    clock = new FakeClock();
    telemetry = new RecordingTelemetry();
    parked = new ParkedInMemory();
    batches = [];
    applied = [];
    failure = () => null;
    written = Promise.resolve();
    const statuses = {
      async apply(updates: readonly StatusUpdate[]) {
        batches.push(updates.map(({ platformMessageId }) => platformMessageId));
        await written;
        const error = failure(updates);
        if (error) throw error;
        applied.push(...updates);
        return { unmatched: 0 };
      },
    } as Partial<StatusReports> as StatusReports;
    senders = SENDERS;
    const known = knownSenders(() => senders);
    received = [];
    poison = null;
    const inbound = {
      apply(messages: readonly InboundMessage[]) {
        if (messages.some(({ platformMessageId }) => platformMessageId === poison)) throw new Error('no such thing');
        const known = new Set(received.map(({ id }) => id));
        const fresh = messages.filter(({ id }) => !known.has(id));
        received.push(...fresh);
        return Promise.resolve({ repeated: messages.length - fresh.length });
      },
    } as Partial<InboundReports> as InboundReports;
    noticed = [];
    const notices = {
      apply(given: readonly OwnedNotice[]) {
        noticed.push(...given);
        return Promise.resolve(given.flatMap(({ notice }) => (notice.kind === 'event' ? [notice.event] : [])));
      },
    } as NoticeReports;
    marks = new TrafficMarks();
    platform = new PlatformInMemory();
    intake = new WebhookIntake(platform, known, statuses, inbound, notices, parked, telemetry, clock, marks);
  });

  const ids = () => applied.map(({ platformMessageId }) => platformMessageId).sort();
  const receive = (reading: WebhookReading, ...secretAndBody: Partial<Parameters<typeof signed>>) => {
    platform.readings.push(reading);
    const [secret = 'secret one', body] = secretAndBody;
    return intake.receive(signed(secret, body));
  };
  const take = async (...readings: WebhookReading[]) => {
    const taken = Promise.allSettled(readings.map((one) => receive(one)));
    await clock.advance(1000);
    return (await taken).map((result) => (result.status === 'fulfilled' ? 'taken' : (result.reason as Error).name));
  };

  it('finds the secret among those of all senders', async () => {
    const second = receive(reading('2', status('w1', '22')), 'secret two');
    await clock.advance(1000);
    await second;
    expect(ids()).toEqual(['w1']);
    await expect(intake.receive(signed('secret three'))).rejects.toThrow(WebhookSignatureError);
    await expect(intake.receive({ ...signed(''), headers: {} })).rejects.toThrow(WebhookSignatureError);
    expect(telemetry.notes).toEqual(['applied 1 unmatched 0', 'refused', 'refused']);
  });

  it('tries the secrets of the accounts in the body, and never many', async () => {
    senders = Array.from({ length: 2_000 }, (_, n) => ({
      ...SENDERS[0]!,
      id: `s${10_000 + n}`,
      businessAccountId: String(10_000 + n),
      appSecret: `secret ${n}`,
    }));
    const nothing: WebhookReading = { reports: [], ignored: new Map() };
    await receive(nothing, 'secret 1500', '11500');
    expect(platform.tried).toBe(1);
    // Only a few secrets of other accounts.
    await receive(nothing, 'secret 0', '1');
    await expect(intake.receive(signed('secret 9', '1'))).rejects.toThrow(WebhookSignatureError);
    platform.tried = 0;
    const all = senders.map(({ businessAccountId }) => businessAccountId).join();
    await expect(intake.receive(signed('x', all))).rejects.toThrow(WebhookSignatureError);
    expect(platform.tried).toBeLessThan(10);
  });

  it('tries a few other secrets on each repetition of a body without a known account', async () => {
    senders = Array.from({ length: 10 }, (_, n) => ({ ...SENDERS[0]!, id: `s${n}`, appSecret: `secret ${n}` }));
    const attemptsOf = async (secret: string): Promise<number> => {
      for (let attempt = 1; attempt <= 10; attempt++) {
        platform.tried = 0;
        const outcome = await intake.receive(signed(secret, '999')).catch((error: unknown) => error);
        expect(platform.tried).toBeLessThanOrEqual(4);
        if (outcome === undefined) return attempt;
        expect(outcome).toBeInstanceOf(WebhookSignatureError);
      }
      throw new Error(`${secret} was never tried`);
    };
    for (const { appSecret } of senders) expect(await attemptsOf(appSecret)).toBeLessThanOrEqual(3);
  });

  it('finds the sender of the phone number of a status', async () => {
    await take(reading('1', status('w1')), reading('3', status('w3', '33')));

    expect(applied).toMatchObject([
      { platformMessageId: 'w1', accountId: 'a1', senderId: 's1' },
      { platformMessageId: 'w3', accountId: 'a3', senderId: 's3' },
    ]);
  });

  it('marks only the senders for which it has a status', async () => {
    await take(reading('1', status('w1')), readingOf('3', { messages: [message('m1', '33')] }));
    await take(reading('2', status('w2', '22')));

    expect(['s1', 's2', 's3'].map((id) => marks.lastWebhookAt(id))).toEqual([expect.any(Date), null, null]);
  });

  it('drops and counts reports signed with the secret of another account', async () => {
    await take(reading('2', status('w1', '22'), status('w2', '22')));
    await take(reading('1', status('w3', '22'), status('w4')));
    await take(reading('2'));

    expect(ids()).toEqual(['w4']);
    expect(telemetry.notes).toEqual(['dropped 2 2', 'dropped 1 1', 'applied 1 unmatched 0', 'dropped 2 1']);
  });

  it('counts statuses of unknown numbers and unused reports', async () => {
    await take({ ...reading('9', status('w1', '99')), ignored: new Map([['account_update', 2]]) });

    expect(applied).toEqual([]);
    expect(telemetry.notes).toEqual(['ignored account_update 2', 'ignored status_of_unknown_number 1']);
  });

  it('accepts a number that has moved to another business account with the same secret', async () => {
    await take(reading('3', status('w1', '11')));

    expect(ids()).toEqual(['w1']);
  });

  it('writes a report immediately, and those that arrive during the write together', async () => {
    let write = (): void => undefined;
    written = new Promise((resolve) => (write = resolve));
    const first = receive(reading('1', status('w1')));
    await clock.advance(0);
    const others = ['w2', 'w3'].map((id) => receive(reading('1', status(id))));
    await clock.advance(1000);
    expect([batches, applied]).toEqual([[['w1']], []]);

    write();
    await Promise.all([first, ...others]);
    expect(batches).toEqual([['w1'], ['w2', 'w3']]);
    expect(ids()).toEqual(['w1', 'w2', 'w3']);
  });

  it('writes at most 1,000 updates per batch', async () => {
    await take(reading('1', ...Array.from({ length: 2500 }, (_, n) => status(`w${n}`))));

    expect(batches.map((batch) => batch.length)).toEqual([1000, 1000, 500]);
  });

  it('parks the one update that cannot be applied, and applies all others', async () => {
    failure = (updates) => (updates.some((one) => one.platformMessageId === 'bad') ? new Error('no such thing') : null);
    const many = Array.from({ length: 40 }, (_, n) => status(`w${n}`));

    expect(await take(reading('1', ...many, status('bad')), reading('3', status('last', '33')))).toEqual([
      'taken',
      'taken',
    ]);
    expect(ids()).toEqual([...many.map((one) => one.platformMessageId), 'last'].sort());
    expect(parked.parked).toHaveLength(1);
    expect(parked.parked[0]!.reason).toBe('The update cannot be applied: no such thing');
    expect(JSON.parse(parked.parked[0]!.body)).toMatchObject({ platformMessageId: 'bad', accountId: 'a1' });
    expect(batches.length).toBeLessThan(20);
  });

  it('retries an update once before parking it, because another process may have written the same', async () => {
    let failures = 0;
    failure = () => (failures++ === 0 ? new Error('duplicate key') : null);

    expect(await take(reading('1', status('w1')))).toEqual(['taken']);
    expect(ids()).toEqual(['w1']);
    expect(parked.parked).toEqual([]);
  });

  it('parks nothing while the database is unavailable or busy, because the platform repeats the body', async () => {
    failure = () => new TransientError();
    expect(await take(reading('1', status('w1'), status('w2')))).toEqual(['Error']);
    expect(parked.parked).toEqual([]);
    expect(batches).toHaveLength(1);

    failure = () => null;
    expect(await take(reading('1', status('w1'), status('w2')))).toEqual(['taken']);
    expect(ids()).toEqual(['w1', 'w2']);
  });

  it('rejects further reports while the queue is full, so that the platform repeats them', async () => {
    const most = receive(reading('1', ...Array.from({ length: 50_000 }, () => status('w'))));
    await Promise.resolve();

    await expect(receive(reading('1', status('w1')))).rejects.toThrow(TooManyReportsError);
    await clock.advance(1000);
    await most;
    expect(await take(reading('1', status('w2')))).toEqual(['taken']);
  });

  it('finds the account of a message, and derives the same id for a repeated message', async () => {
    await take(readingOf('1', { messages: [message('m1'), message('m2')] }));
    await take(readingOf('1', { messages: [message('m2')] }), readingOf('3', { messages: [message('m2', '33')] }));

    expect(received).toMatchObject([
      { platformMessageId: 'm1', accountId: 'a1' },
      { platformMessageId: 'm2', accountId: 'a1' },
      { platformMessageId: 'm2', accountId: 'a3' },
    ]);
    expect(new Set(received.map(({ id }) => id)).size).toBe(3);
    expect(telemetry.notes).toEqual(['received 2 repeated 0', 'received 1 repeated 1']);
  });

  it('accepts messages and notices only with the secret of their account', async () => {
    await take(readingOf('2', { messages: [message('m1', '22')], notices: [{ kind: 'limits' }] }));
    await take(readingOf('1', { messages: [message('m2', '22'), message('m3', '99')] }));

    expect([received, noticed]).toEqual([[], []]);
    expect(telemetry.notes).toEqual(['dropped 2 2', 'ignored message_of_unknown_number 1', 'dropped 1 1']);
  });

  it('parks the one message that cannot be recorded, and records all others', async () => {
    poison = 'bad';
    const others = Array.from({ length: 20 }, (_, n) => message(`m${n}`));

    expect(await take(readingOf('1', { messages: [...others, message('bad')] }))).toEqual(['taken']);
    expect(received).toHaveLength(20);
    expect(parked.parked).toHaveLength(1);
    expect(JSON.parse(parked.parked[0]!.body)).toMatchObject({ platformMessageId: 'bad', content: { text: 'Hello' } });
  });

  it('applies a notice to all accounts of the business account, or only to its phone number', async () => {
    const preference = { phone: '4915112345678', userId: null, stop: true, at: new Date(0) };
    await take(
      readingOf('3', {
        notices: [
          { kind: 'limits' },
          { kind: 'preference', phoneNumberId: '33', preference },
          { kind: 'preference', phoneNumberId: '11', preference },
        ],
      }),
    );

    expect(noticed).toMatchObject([
      { notice: { kind: 'limits' }, owners: [{ accountId: 'a3', senderId: 's3' }] },
      { notice: { kind: 'preference' }, owners: [{ accountId: 'a3' }] },
    ]);
    expect(telemetry.notes).toEqual(['ignored notice_of_unknown_account 1', 'noticesApplied 2']);
  });

  it('stores events and alerts the operator if required', async () => {
    await take(readingOf('1', { notices: [event(), event('DISABLED_UPDATE DISABLE')] }));
    expect(noticed).toHaveLength(2);
    expect(telemetry.notes).toEqual(['noticesApplied 0', 'alerted account_update 1 DISABLED_UPDATE DISABLE']);
  });

  it('ignores events about a business account without an account that has the signing secret', async () => {
    await take(readingOf('9', { notices: [event('DISABLED_UPDATE DISABLE'), { kind: 'limits' }] }));
    expect([noticed, telemetry.notes]).toEqual([[], ['ignored notice_of_unknown_account 2']]);
  });

  it('accepts an oversized body if the queue is empty, because the platform would repeat it forever', async () => {
    const many = Array.from({ length: 12_000 }, (_, n) => message(`m${n}`));

    expect(await take(readingOf('1', { messages: many }))).toEqual(['taken']);
    expect(received).toHaveLength(12_000);
  });

  it('parks a body that cannot be read', async () => {
    await intake.receive(signed('secret one'));

    expect(parked.parked).toEqual([{ reason: 'The body cannot be read: Unexpected end', body: '{"entry":' }]);
    expect(telemetry.notes).toEqual(['parked The body cannot be read']);
  });
});
