import { type Detail, doubled, ended, phones, type Recipient, recipientsOf, sendTo } from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { Platform } from '../../support/process/platform';
import { type Service, startService } from '../../support/process/service';

/** A number of the sandbox that behaves as its last four digits say. */
const ending = (digits: string) => `49152888${digits}`;
const ENDINGS = ['0001', '0002', '0003', '0004', '0005', '0006', '0007', '0008', '0009'].map(ending);

describe('A job whose recipients end in every way there is', () => {
  const others = phones(40);
  let platform: Platform;
  let service: Service;
  let job: Detail;
  let recipients: Map<string, Recipient>;
  let accepted: string[];

  beforeAll(async () => {
    platform = await Platform.start();
    service = await startService({
      platformUrl: platform.url,
      env: { PLATFORM_TIMEOUT_SECONDS: '2', UNKNOWN_GRACE_SECONDS: '3' },
    });
    const client = new Client(service);
    const jobId = await sendTo(client, [...others.slice(0, 20), ...ENDINGS, ...others.slice(20)]);
    job = await ended(client, jobId, 55_000);
    recipients = new Map((await recipientsOf(client, jobId)).map((recipient) => [recipient.phone, recipient]));
    accepted = await platform.accepted();
  }, 60_000);

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const at = (digits: string) => recipients.get(ending(digits));
  const times = (digits: string) => accepted.filter((to) => to === ending(digits)).length;

  it('is completed, and everybody counts once', () => {
    expect(job).toMatchObject({
      status: 'Completed',
      totalRecipients: 49,
      progressPercentage: 100,
      pending: 0,
      throttled: null,
    });
    expect(job.successfullySent + job.failed).toBe(49);
    expect(job).toMatchObject({ successfullySent: 44, failed: 5, unknown: 3 });
  });

  it('sends nothing twice', () => {
    expect(doubled(accepted)).toEqual([]);
  });

  it('reaches all others', () => {
    expect(others.filter((to) => !['Sent', 'Delivered', 'Read'].includes(recipients.get(to)!.status))).toEqual([]);
    expect(others.filter((to) => !accepted.includes(to))).toEqual([]);
  });

  it.each(['0001', '0003', '0009'])('has sent to %s', (digits) => {
    expect(at(digits)).toMatchObject({
      errorCode: null,
      attempts: 1,
      platformMessageId: expect.stringMatching(/^wamid\./),
    });
    expect(times(digits)).toBe(1);
  });

  it('has failed for 0002, whom the platform refuses at once', () => {
    expect(at('0002')).toMatchObject({ status: 'Failed', platformCode: 131026, attempts: 1, platformMessageId: null });
    expect(times('0002')).toBe(0);
  });

  it('has sent to 0004 at the second attempt, since a throttle fails nobody', () => {
    expect(at('0004')).toMatchObject({ errorCode: null, attempts: 2 });
    expect(times('0004')).toBe(1);
  });

  it.each(['0005', '0006'])('does not know about %s, whose answer was lost, and never tries again', (digits) => {
    expect(at(digits)).toMatchObject({ status: 'Unknown', errorCode: 'outcome_unknown', attempts: 1 });
    expect(times(digits)).toBe(1);
  });

  it('does not know about 0007 either, for a gateway may answer for a platform that has accepted', () => {
    expect(at('0007')).toMatchObject({ status: 'Unknown', errorCode: 'outcome_unknown', attempts: 1 });
    expect(times('0007')).toBe(0);
  });

  it('has tried 0008 several times before it failed', () => {
    expect(at('0008')).toMatchObject({ status: 'Failed', platformCode: 131000 });
    expect(at('0008')!.attempts).toBeGreaterThanOrEqual(4);
    expect(times('0008')).toBe(0);
  });
});
