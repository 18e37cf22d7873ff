import { sendingTimeOf } from './sending-time';

describe('The time in which a job sent', () => {
  const job = {
    startedAt: '2026-11-29T11:00:00.000Z',
    completedAt: '2026-11-29T11:15:00.000Z',
    successfullySent: 300,
  };
  const step = (at: string, sent: number) => ({ at: `2026-11-29T${at}.000Z`, sent, failed: 0 });

  it('ends with its last message, not with the wait for an outcome', () => {
    const items = [step('11:00:00', 180), step('11:00:30', 120), step('11:14:30', 0)];
    expect(sendingTimeOf(job, { items, stepSeconds: 30 })).toEqual({ sending: 60, waiting: 840, perSecond: 5 });
  });

  it('is the whole run of a job that did not wait, or whose steps are not known', () => {
    expect(sendingTimeOf(job, { items: [step('11:14:20', 300)], stepSeconds: 30 })).toBeNull();
    expect(sendingTimeOf(job, { items: [], stepSeconds: 30 })).toBeNull();
    expect(sendingTimeOf({ ...job, completedAt: null }, { items: [step('11:00:00', 1)], stepSeconds: 30 })).toBeNull();
  });
});
