import { FakeClock } from '../../../../test/fakes/fake-clock';
import type { CloudApiClient, CloudApiRequest } from '../../../infra/cloud-api/cloud-api-client';
import type { CloudApiReply } from '../../../infra/cloud-api/cloud-api-reply';
import type { Sender } from '../../accounts/domain/sender';
import type { SendersService } from '../../accounts/domain/senders.service';
import { WebhookJournal } from '../domain/webhook-journal';
import { PlatformSubscriptions } from './platform-subscriptions';

const OK: CloudApiReply = { kind: 'answer', status: 200, body: { success: true } };
const AWAY: CloudApiReply = { kind: 'not_sent', reason: 'ECONNREFUSED' };
const URL = 'https://example.test/webhooks/platform';
const MINUTE = 60_000;

class QuietJournal extends WebhookJournal {
  readonly problems: string[] = [];
  refused = () => undefined;
  applied = () => undefined;
  received = () => undefined;
  heeded = () => undefined;
  alerted = () => undefined;
  ignored = () => undefined;
  dropped = () => undefined;
  parked = () => undefined;
  subscribed = () => undefined;
  notSubscribed = (account: string, reason: string) => void this.problems.push(`${account}: ${reason}`);
}

const sender = (businessAccountId: string, accessToken: string) => ({ businessAccountId, accessToken }) as Sender;

describe('The subscriptions of business accounts', () => {
  let clock: FakeClock;
  let senders: Sender[] | Error;
  let requests: CloudApiRequest[];
  let reply: (request: CloudApiRequest) => CloudApiReply;
  let journal: QuietJournal;
  let subscriptions: PlatformSubscriptions;

  beforeEach(() => {
    clock = new FakeClock();
    senders = [sender('1', 'token one')];
    requests = [];
    reply = () => OK;
    journal = new QuietJournal();
    const all = () => (senders instanceof Error ? Promise.reject(senders) : Promise.resolve(senders));
    const client = {
      call(request: CloudApiRequest) {
        requests.push(request);
        return Promise.resolve(reply(request));
      },
    } as CloudApiClient;
    subscriptions = new PlatformSubscriptions(
      { all } as SendersService,
      client,
      { verifyToken: 'verify-me' },
      journal,
      clock,
    );
  });

  afterEach(() => subscriptions.onModuleDestroy());

  const paths = () => requests.map(({ path }) => path);

  it('are made once for each business account, at the address that the platform verifies', async () => {
    senders = [sender('1', 'token one'), sender('2', 'token two'), sender('1', 'token three')];
    subscriptions.start(URL);
    await clock.advance(10 * MINUTE);

    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/1/subscribed_apps',
        accessToken: 'token one',
        body: { override_callback_uri: URL, verify_token: 'verify-me' },
      },
      expect.objectContaining({ path: '/2/subscribed_apps', accessToken: 'token two' }),
    ]);
    expect(journal.problems).toEqual([]);
  });

  it('are made for a new account within two minutes', async () => {
    subscriptions.start(URL);
    await clock.advance(MINUTE);
    senders = [sender('1', 'token one'), sender('9', 'token nine')];
    await clock.advance(2 * MINUTE);

    expect(paths()).toEqual(['/1/subscribed_apps', '/9/subscribed_apps']);
  });

  it('are tried again, each with the next token, until the platform agrees', async () => {
    senders = [sender('1', 'out of date'), sender('1', 'good')];
    reply = ({ accessToken }) => (accessToken === 'good' ? OK : AWAY);
    subscriptions.start(URL);
    await clock.advance(MINUTE);

    expect(requests.map(({ accessToken }) => accessToken)).toEqual(['out of date', 'good']);
    expect(journal.problems).toEqual(['1: ECONNREFUSED']);
  });

  it('are asked for less and less often while the platform says no, and without end', async () => {
    reply = () => AWAY;
    subscriptions.start(URL);
    await clock.advance(5 * MINUTE);
    const early = requests.length;
    await clock.advance(60 * MINUTE);

    expect(early).toBeGreaterThanOrEqual(5);
    expect(requests.length - early).toBeGreaterThanOrEqual(25);
    expect(requests.length - early).toBeLessThanOrEqual(31);
  });

  it('are not held up by an account that the platform refuses', async () => {
    senders = [sender('1', 'bad'), sender('2', 'good')];
    const error = {
      code: 190,
      message: 'No.',
      class: 'job',
      problem: 'access_token_invalid',
      httpStatus: 401,
    } as const;
    reply = ({ path }) => (path.startsWith('/1/') ? { kind: 'refusal', status: 401, error } : OK);
    subscriptions.start(URL);
    await clock.advance(0);

    expect(paths()).toEqual(['/1/subscribed_apps', '/2/subscribed_apps']);
    expect(journal.problems).toEqual(['1: No. (code 190)']);
  });

  it('are renewed every hour, since the platform may have forgotten them', async () => {
    subscriptions.start(URL);
    await clock.advance(61 * MINUTE);

    expect(paths()).toEqual(['/1/subscribed_apps', '/1/subscribed_apps']);
  });

  it('wait for the database to come back', async () => {
    senders = new Error('away');
    subscriptions.start(URL);
    await clock.advance(MINUTE);
    senders = [sender('1', 'token one')];
    await clock.advance(MINUTE);

    expect(paths()).toEqual(['/1/subscribed_apps']);
  });

  it('end with the service', async () => {
    reply = () => AWAY;
    subscriptions.start(URL);
    await clock.advance(MINUTE);
    const before = requests.length;
    subscriptions.onModuleDestroy();
    await clock.advance(10 * MINUTE);

    expect(requests).toHaveLength(before);
  });
});
