import fc from 'fast-check';
import { eventsOf, reported, type ReportedMessage, type ReportedStatus, type StatusUpdate } from './status-update';

const SENT_AT = new Date('2026-11-20T12:00:00.400Z');
const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 20, 12, 0, seconds));

const sent: ReportedMessage = {
  id: 'message',
  accountId: 'account',
  jobId: null,
  platformMessageId: 'wamid.1',
  status: 'Sent',
  problem: null,
  sentAt: SENT_AT,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
};

const SECONDS: Record<ReportedStatus, number> = { sent: 1, delivered: 2, read: 3, failed: 4 };

function update(status: ReportedStatus, seconds = SECONDS[status]): StatusUpdate {
  const problem = status === 'failed' ? { code: 'recipient_unreachable', message: 'No.', platformCode: 131026 } : null;
  return {
    accountId: 'account',
    senderId: 'sender',
    platformMessageId: 'wamid.1',
    status,
    at: at(seconds),
    callbackData: null,
    recipient: null,
    problem,
    scope: status === 'failed' ? 'recipient' : null,
  };
}

function afterAll(message: ReportedMessage, ...statuses: ReportedStatus[]): ReportedMessage {
  return statuses.reduce((state, status) => reported(state, update(status)) ?? state, message);
}

describe('A message with reported statuses', () => {
  it('changes from Sent to Delivered to Read, with the time of each', () => {
    expect(afterAll(sent, 'sent', 'delivered', 'read')).toEqual({
      ...sent,
      status: 'Read',
      deliveredAt: at(2),
      readAt: at(3),
    });
  });

  it('never changes back: a late status only adds its time', () => {
    expect(afterAll(sent, 'read')).toEqual({ ...sent, status: 'Read', readAt: at(3) });
    expect(afterAll(sent, 'read', 'delivered')).toMatchObject({ status: 'Read', deliveredAt: at(2), readAt: at(3) });
  });

  it('is final after a failure, and has the reason', () => {
    const failed = afterAll(sent, 'failed');

    expect(failed).toEqual({ ...sent, status: 'Undelivered', failedAt: at(4), problem: update('failed').problem });
    expect(afterAll(failed, 'sent')).toBe(failed);
  });

  it('is not failed once delivered, in either order', () => {
    expect(afterAll(sent, 'delivered', 'failed')).toMatchObject({ status: 'Delivered', problem: null, failedAt: null });
    expect(afterAll(sent, 'failed', 'read')).toMatchObject({ status: 'Read', problem: null, failedAt: null });
  });

  it.each(['sent', 'delivered', 'read', 'failed'] as const)('is not changed by a second "%s"', (status) => {
    expect(reported(afterAll(sent, status), update(status))).toBeNull();
  });

  it('takes the pricing from the first status after delivery that has one', () => {
    const pricing = { billable: true, category: 'marketing', type: 'regular' };
    const delivered = reported(sent, update('delivered'))!;
    expect(delivered.pricing).toBeUndefined();
    expect(reported(sent, { ...update('sent'), pricing })).toBeNull();
    const priced = reported(delivered, { ...update('delivered'), pricing })!;
    expect(priced).toMatchObject({ status: 'Delivered', pricing });
    expect(reported(priced, { ...update('delivered'), pricing: { ...pricing, billable: false } })).toBeNull();
    expect(reported(priced, update('read'))).toMatchObject({ status: 'Read', pricing });
  });

  it('does not change until it is recorded as accepted', () => {
    expect(reported({ ...sent, status: 'Failed', sentAt: null }, update('delivered'))).toBeNull();
  });

  it('is not delivered before it was sent within the same second', () => {
    expect(reported(sent, update('delivered', 0))?.deliveredAt).toEqual(SENT_AT);
    expect(reported({ ...sent, sentAt: at(9) }, update('delivered', 2))?.deliveredAt).toEqual(at(2));
  });

  it('keeps the earliest time of two equal statuses', () => {
    const later = reported(sent, update('delivered', 8))!;

    expect(reported(later, update('delivered', 2))?.deliveredAt).toEqual(at(2));
  });

  it('converges to one state, whatever the order and repetition of statuses', () => {
    const statuses = fc.array(fc.constantFrom<ReportedStatus>('sent', 'delivered', 'read', 'failed'), { maxLength: 8 });
    const shuffled = statuses.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }), fc.subarray(list)),
    );
    fc.assert(
      fc.property(shuffled, ([list, other, repeated]) => {
        expect(afterAll(sent, ...other, ...repeated)).toEqual(afterAll(sent, ...list));
      }),
    );
  });
});

describe('The events of a change', () => {
  it('cover every new fact, also with several statuses at once or a late one', () => {
    const read = afterAll(sent, 'read');
    expect(eventsOf(sent, afterAll(sent, 'delivered', 'read'))).toEqual(['message.delivered', 'message.read']);
    expect(eventsOf(sent, read)).toEqual(['message.read']);
    expect(eventsOf(read, afterAll(read, 'delivered'))).toEqual(['message.delivered']);
    expect(eventsOf(sent, afterAll(sent, 'failed'))).toEqual(['message.undelivered']);
    expect(eventsOf(sent, afterAll(sent, 'failed', 'delivered'))).toEqual(['message.delivered']);
  });

  it('are none if only an earlier time becomes known', () => {
    const delivered = afterAll(sent, 'delivered');
    expect(eventsOf(delivered, { ...delivered, deliveredAt: at(1) })).toEqual([]);
  });
});
