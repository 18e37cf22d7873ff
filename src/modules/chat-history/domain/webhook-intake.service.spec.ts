import { createHmac } from 'node:crypto';
import { FakeClock } from '../../../../test/fakes/fake-clock';
import { ParkedInMemory, PassingFault } from '../../../../test/fakes/parked-in-memory';
import type { Sender } from '../../accounts/domain/sender';
import type { SendersService } from '../../accounts/domain/senders.service';
import { TooManyReportsError, WebhookSignatureError } from './chat-history.errors';
import type { InboundMessage, ReportedMessageIn } from './inbound-message';
import type { InboundMessages } from './inbound-messages.service';
import { type OwnedNotice, type PlatformNotice, platformEvent } from './platform-notice';
import type { PlatformNotices } from './platform-notices.service';
import type { PlatformStatuses } from './platform-statuses.service';
import type { StatusUpdate } from './status-update';
import { WebhookIntake } from './webhook-intake.service';
import { WebhookJournal } from './webhook-journal';
import type { ReportedUpdate, WebhookReading } from './webhook-report';

const SENDERS = [
  { id: 's1', accountId: 'a1', phoneNumberId: '11', businessAccountId: '1', appSecret: 'secret one' },
  { id: 's2', accountId: 'a2', phoneNumberId: '22', businessAccountId: '2', appSecret: 'secret two' },
  { id: 's3', accountId: 'a3', phoneNumberId: '33', businessAccountId: '3', appSecret: 'secret one' },
] as Sender[];

/** Notes what it is told, one line each. */
class NotedJournal extends WebhookJournal {
  readonly notes: string[] = [];
  refused = () => void this.notes.push('refused');
  applied = (updates: readonly StatusUpdate[], unmatched: number) =>
    void this.notes.push(`applied ${updates.length} unmatched ${unmatched}`);
  received = (recorded: number, repeated: number) => void this.notes.push(`received ${recorded} repeated ${repeated}`);
  heeded = (count: number) => void this.notes.push(`heeded ${count}`);
  alerted = (kind: string, account: string, said: string) => void this.notes.push(`alerted ${kind} ${account} ${said}`);
  ignored = (kind: string, count: number) => void this.notes.push(`ignored ${kind} ${count}`);
  dropped = (account: string, count: number) => void this.notes.push(`dropped ${account} ${count}`);
  parked = (reason: string) => void this.notes.push(`parked ${reason}`);
  subscribed = () => undefined;
  notSubscribed = () => undefined;
}

const status = (platformMessageId: string, phoneNumberId = '11'): ReportedUpdate => ({
  phoneNumberId,
  platformMessageId,
  status: 'sent',
  at: new Date(0),
  callbackData: null,
  problem: null,
  stopsJob: false,
});
const reading = (businessAccountId: string, ...statuses: ReportedUpdate[]): WebhookReading => ({
  reports: [{ businessAccountId, statuses, messages: [], notices: [] }],
  ignored: new Map(),
});
const message = (platformMessageId: string, phoneNumberId = '11'): ReportedMessageIn => ({
  phoneNumberId,
  platformMessageId,
  phone: '4915112345678',
  userId: null,
  profileName: null,
  type: 'Text',
  content: { text: 'Hello' },
  at: new Date(0),
  placedAt: new Date(0),
  stampMs: 0,
});
const readingOf = (
  businessAccountId: string,
  more: { messages?: ReportedMessageIn[]; notices?: PlatformNotice[] },
): WebhookReading => ({
  reports: [{ businessAccountId, statuses: [], messages: [], notices: [], ...more }],
  ignored: new Map(),
});
const event = (alert: string | null = null): PlatformNotice => ({
  kind: 'event',
  event: platformEvent({ kind: 'account_update', businessAccountId: '1', alert }, { time: 1, body: {} }),
});
const signed = (body: Buffer, secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

describe('The intake of webhooks', () => {
  let clock: FakeClock;
  let journal: NotedJournal;
  let parked: ParkedInMemory;
  let intake: WebhookIntake;
  /** Ids of each batch that was applied or tried. */
  let batches: string[][];
  let applied: StatusUpdate[];
  let failure: (updates: readonly StatusUpdate[]) => Error | null;
  let received: InboundMessage[];
  let poison: string | null;
  let noticed: OwnedNotice[];

  beforeEach(() => {
    clock = new FakeClock();
    journal = new NotedJournal();
    parked = new ParkedInMemory();
    batches = [];
    applied = [];
    failure = () => null;
    const statuses = {
      apply(updates: readonly StatusUpdate[]) {
        batches.push(updates.map(({ platformMessageId }) => platformMessageId));
        const error = failure(updates);
        if (error) return Promise.reject(error);
        applied.push(...updates);
        return Promise.resolve({ unmatched: 0 });
      },
    } as PlatformStatuses;
    const senders = { all: () => Promise.resolve(SENDERS) } as SendersService;
    received = [];
    poison = null;
    const inbound = {
      take(messages: readonly InboundMessage[]) {
        if (messages.some(({ platformMessageId }) => platformMessageId === poison)) throw new Error('no such thing');
        const known = new Set(received.map(({ id }) => id));
        const fresh = messages.filter(({ id }) => !known.has(id));
        received.push(...fresh);
        return Promise.resolve({ repeated: messages.length - fresh.length });
      },
    } as InboundMessages;
    noticed = [];
    const notices = {
      apply(given: readonly OwnedNotice[]) {
        noticed.push(...given);
        return Promise.resolve(given.flatMap(({ notice }) => (notice.kind === 'event' ? [notice.event] : [])));
      },
    } as PlatformNotices;
    intake = new WebhookIntake(senders, statuses, inbound, notices, parked, journal, clock);
  });

  const ids = () => applied.map(({ platformMessageId }) => platformMessageId).sort();
  const take = async (...readings: WebhookReading[]) => {
    const taken = Promise.allSettled(readings.map((one) => intake.take(one, 'secret one')));
    await clock.advance(1000);
    return (await taken).map((result) => (result.status === 'fulfilled' ? 'taken' : (result.reason as Error).name));
  };

  it('knows the secret of every sender', async () => {
    const body = Buffer.from('{}');

    expect(await intake.secretOf(body, signed(body, 'secret two'))).toBe('secret two');
    await expect(intake.secretOf(body, signed(body, 'secret three'))).rejects.toThrow(WebhookSignatureError);
    await expect(intake.secretOf(body, undefined)).rejects.toThrow(WebhookSignatureError);
    expect(journal.notes).toEqual(['refused', 'refused']);
  });

  it('knows whose number a status is about', async () => {
    await take(reading('1', status('w1')), reading('3', status('w3', '33')));

    expect(applied).toMatchObject([
      { platformMessageId: 'w1', accountId: 'a1', senderId: 's1' },
      { platformMessageId: 'w3', accountId: 'a3', senderId: 's3' },
    ]);
  });

  it('drops what the secret of somebody else signed, and counts it', async () => {
    await take(reading('2', status('w1', '22'), status('w2', '22')));
    await take(reading('1', status('w3', '22'), status('w4')));
    await take(reading('2'));

    expect(ids()).toEqual(['w4']);
    expect(journal.notes).toEqual(['dropped 2 2', 'dropped 1 1', 'applied 1 unmatched 0', 'dropped 2 1']);
  });

  it('counts statuses of numbers that nobody has, and what it does not act upon', async () => {
    await take({ ...reading('9', status('w1', '99')), ignored: new Map([['account_update', 2]]) });

    expect(applied).toEqual([]);
    expect(journal.notes).toEqual(['ignored account_update 2', 'ignored status_of_unknown_number 1']);
  });

  it('believes a number that has moved to another business account of the same secret', async () => {
    await take(reading('3', status('w1', '11')));

    expect(ids()).toEqual(['w1']);
  });

  it('writes what arrives within 20 ms together, and answers when it is written', async () => {
    let isTaken = false;
    const first = intake.take(reading('1', status('w1')), 'secret one').then(() => (isTaken = true));
    await clock.advance(15);
    const second = intake.take(reading('1', status('w2')), 'secret one');
    expect([isTaken, batches]).toEqual([false, []]);

    await clock.advance(5);
    await Promise.all([first, second]);
    expect(batches).toEqual([['w1', 'w2']]);
  });

  it('writes at most 1,000 updates at once', async () => {
    await take(reading('1', ...Array.from({ length: 2500 }, (_, n) => status(`w${n}`))));

    expect(batches.map((batch) => batch.length)).toEqual([1000, 1000, 500]);
  });

  it('puts aside the one update that cannot be applied, and applies all others', async () => {
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

  it('applies an update once more before it is put aside: somebody else may have written the same meanwhile', async () => {
    let failures = 0;
    failure = () => (failures++ === 0 ? new Error('duplicate key') : null);

    expect(await take(reading('1', status('w1')))).toEqual(['taken']);
    expect(ids()).toEqual(['w1']);
    expect(parked.parked).toEqual([]);
  });

  it('puts nothing aside while the database is away or busy: the platform repeats it', async () => {
    failure = () => new PassingFault();
    expect(await take(reading('1', status('w1'), status('w2')))).toEqual(['Error']);
    expect(parked.parked).toEqual([]);
    expect(batches).toHaveLength(1);

    failure = () => null;
    expect(await take(reading('1', status('w1'), status('w2')))).toEqual(['taken']);
    expect(ids()).toEqual(['w1', 'w2']);
  });

  it('holds no more than it can: what comes then is to be repeated', async () => {
    const most = intake.take(reading('1', ...Array.from({ length: 50_000 }, () => status('w'))), 'secret one');
    await Promise.resolve();

    await expect(intake.take(reading('1', status('w1')), 'secret one')).rejects.toThrow(TooManyReportsError);
    await clock.advance(1000);
    await most;
    expect(await take(reading('1', status('w2')))).toEqual(['taken']);
  });

  it('knows whose message it is, and names the same message the same', async () => {
    await take(readingOf('1', { messages: [message('m1'), message('m2')] }));
    await take(readingOf('1', { messages: [message('m2')] }), readingOf('3', { messages: [message('m2', '33')] }));

    expect(received).toMatchObject([
      { platformMessageId: 'm1', accountId: 'a1' },
      { platformMessageId: 'm2', accountId: 'a1' },
      { platformMessageId: 'm2', accountId: 'a3' },
    ]);
    expect(new Set(received.map(({ id }) => id)).size).toBe(3);
    expect(journal.notes).toEqual(['received 2 repeated 0', 'received 1 repeated 1']);
  });

  it('believes messages and notices only with the secret of their account', async () => {
    await take(readingOf('2', { messages: [message('m1', '22')], notices: [{ kind: 'limits' }] }));
    await take(readingOf('1', { messages: [message('m2', '22'), message('m3', '99')] }));

    expect([received, noticed]).toEqual([[], []]);
    expect(journal.notes).toEqual(['dropped 2 2', 'ignored message_of_unknown_number 1', 'dropped 1 1']);
  });

  it('puts aside the one message that cannot be recorded, and records all others', async () => {
    poison = 'bad';
    const others = Array.from({ length: 20 }, (_, n) => message(`m${n}`));

    expect(await take(readingOf('1', { messages: [...others, message('bad')] }))).toEqual(['taken']);
    expect(received).toHaveLength(20);
    expect(parked.parked).toHaveLength(1);
    expect(JSON.parse(parked.parked[0]!.body)).toMatchObject({ platformMessageId: 'bad', content: { text: 'Hello' } });
  });

  it('brings a notice to all accounts of the business account, or to the number that it names', async () => {
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
    expect(journal.notes).toEqual(['ignored notice_of_unknown_account 1', 'heeded 2']);
  });

  it('keeps what nobody acts upon, of unknown accounts too, and says aloud what somebody has to know', async () => {
    await take(readingOf('9', { notices: [event(), event('DISABLED_UPDATE DISABLE'), { kind: 'limits' }] }));

    expect(noticed).toHaveLength(2);
    expect(journal.notes).toEqual([
      'ignored notice_of_unknown_account 1',
      'heeded 0',
      'alerted account_update 1 DISABLED_UPDATE DISABLE',
    ]);
  });

  it('takes a body that is too much by itself, or it would be repeated for ever', async () => {
    const many = Array.from({ length: 12_000 }, (_, n) => message(`m${n}`));

    expect(await take(readingOf('1', { messages: many }))).toEqual(['taken']);
    expect(received).toHaveLength(12_000);
  });

  it('puts a body aside that cannot be read', async () => {
    await intake.parkBody('{"entry":', new SyntaxError('Unexpected end'));

    expect(parked.parked).toEqual([{ reason: 'The body cannot be read: Unexpected end', body: '{"entry":' }]);
    expect(journal.notes).toEqual(['parked The body cannot be read']);
  });
});
