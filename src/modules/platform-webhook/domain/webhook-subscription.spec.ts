import { type SubscriptionFacts, subscriptionDecision } from './webhook-subscription';

const OWN = 'https://own.test/webhooks/platform';
const EARLIER = 'https://earlier.test/webhooks/platform';
const OTHER = 'https://other.test/webhooks/platform';
const at = (address: string) => ({ exists: true, addresses: [address] });
const NONE = { exists: false, addresses: [] };
/** An app without an override, which reports to its own address. */
const APP_ALONE = { exists: true, addresses: [] };
const RESTORED = new Date('2026-05-01');
const before = { callbackUrl: EARLIER, recordedAt: new Date('2026-04-01') };
const after = { callbackUrl: EARLIER, recordedAt: new Date('2026-06-01') };

const decide = (facts: Partial<SubscriptionFacts>) =>
  subscriptionDecision({
    ...{ ownUrl: OWN, present: NONE, recorded: null, restoredAt: null, isNew: false, takeOver: false },
    ...facts,
  });

describe('A platform subscription', () => {
  it('that points here is left unchanged', () => {
    expect(decide({ present: at(OWN) })).toBe('own');
    expect(decide({ present: at(OWN), recorded: before, restoredAt: RESTORED })).toBe('own');
    expect(decide({ present: { exists: true, addresses: [OTHER, OWN] }, takeOver: true })).toBe('own');
  });

  it('that does not exist is created, also after a restore', () => {
    expect(decide({})).toBe('subscribe');
    expect(decide({ recorded: after })).toBe('subscribe');
    expect(decide({ recorded: before, restoredAt: RESTORED })).toBe('subscribe');
  });

  it('is taken over by a database that has never had it', () => {
    expect(decide({ present: at(OTHER) })).toBe('subscribe');
    expect(decide({ present: APP_ALONE })).toBe('subscribe');
  });

  it('follows a changed address of this service', () => {
    expect(decide({ present: at(EARLIER), recorded: after })).toBe('subscribe');
    expect(decide({ present: at(EARLIER), recorded: after, restoredAt: RESTORED })).toBe('subscribe');
    expect(decide({ present: APP_ALONE, recorded: after })).toBe('subscribe');
  });

  it('that another service took over is left to it', () => {
    expect(decide({ present: at(OTHER), recorded: after })).toBe('leave');
  });

  it('is not taken over by a restored database that has not had it since', () => {
    expect(decide({ present: at(EARLIER), recorded: before, restoredAt: RESTORED })).toBe('leave');
    expect(decide({ present: at(OTHER), recorded: null, restoredAt: RESTORED })).toBe('leave');
    expect(decide({ present: APP_ALONE, recorded: null, restoredAt: RESTORED })).toBe('leave');
  });

  it('of a business account added after the restore is taken over', () => {
    expect(decide({ present: APP_ALONE, restoredAt: RESTORED, isNew: true })).toBe('subscribe');
  });

  it('is always taken over at the request of the operator', () => {
    expect(decide({ present: at(OTHER), recorded: after, takeOver: true })).toBe('subscribe');
    expect(decide({ present: at(EARLIER), recorded: before, restoredAt: RESTORED, takeOver: true })).toBe('subscribe');
  });
});
