import { shareOfSent } from './share-of-sent';

describe('The share of sent messages', () => {
  const counts = { sent: 530, delivered: 539, undelivered: 2, read: 265 };

  it('is not everything while messages were not delivered, though more deliveries were reported', () => {
    expect(shareOfSent(counts, 'delivered')).toBe('99.6%');
    expect(shareOfSent(counts, 'read')).toBe('50%');
  });

  it('is never below 0 or above everything', () => {
    expect(shareOfSent({ ...counts, undelivered: 600 }, 'delivered')).toBe('0%');
    expect(shareOfSent({ ...counts, undelivered: 0 }, 'delivered')).toBe('100%');
  });

  it('is a dash if nothing was sent', () => {
    const none = { sent: 0, delivered: 3, undelivered: 0, read: 1 };
    expect(shareOfSent(none, 'delivered')).toBe('–');
    expect(shareOfSent(none, 'read')).toBe('–');
  });
});
