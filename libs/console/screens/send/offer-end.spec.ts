import type { SendPlanDto } from '../../../client/generated/types.gen';
import { offerTiming, problemOfOfferEnd } from './offer-end';
import { DEFAULT_WINDOW, SEND_NOW, type SendOptions } from './send-options';

const NOW = new Date('2026-11-23T10:00:00Z');
const END = '2026-11-23T18:00:00Z';

function timing(plan: Partial<SendPlanDto> = {}, options: Partial<SendOptions> = {}, end: string | undefined = END) {
  const whole = { startsAt: NOW.toISOString(), endsAt: '2026-11-23T10:10:00Z', estimatedSeconds: 600, ...plan };
  return offerTiming(end, { options: { ...SEND_NOW, ...options }, plan: whole as SendPlanDto }, NOW);
}

describe('The end of an offer', () => {
  it('must be a time in the future', () => {
    expect(problemOfOfferEnd('', NOW)).toBe('Enter a date and time.');
    expect(problemOfOfferEnd('2026-11-23T10:00Z', NOW)).toBe('This time is in the past. Choose a later end.');
    expect(problemOfOfferEnd('2026-11-23T10:01Z', NOW)).toBeNull();
  });

  it('after the last message has no effect, nor has a message without an offer', () => {
    expect(timing()).toEqual({ problem: null, caution: null });
    expect(offerTiming(undefined, { options: SEND_NOW, plan: {} as SendPlanDto }, NOW)).toEqual({
      ...{ problem: null, caution: null },
    });
  });

  it('prevents a send that would start after it, by schedule or window', () => {
    expect(timing({}, { startsAt: END }).problem).toMatch(/^Sending would start on .+, after the end of the offer/);
    const opensTooLate = timing({ startsAt: '2026-11-24T08:00:00Z' }, { window: DEFAULT_WINDOW });
    expect(opensTooLate.problem).toMatch(/^Sending would start/);
    expect(timing({}, {}, NOW.toISOString()).problem).toMatch(/^The offer ended/);
  });

  it('before the last message is a reason for caution, as is an unknown time of sending', () => {
    const late = { endsAt: '2026-11-23T19:00:00Z', estimatedSeconds: 9 * 3600 };
    expect(timing(late).caution).toMatch(/the last message is sent around/);
    expect(timing({ endsAt: null, estimatedSeconds: null }).caution).toMatch(/not known when the last message/);
    expect(timing({}, { hold: true }).caution).toMatch(/Send the job early enough/);
    // From the moment of sending, not of the check.
    expect(timing({ startsAt: '2026-11-23T09:00:00Z', endsAt: '2026-11-23T18:30:00Z', estimatedSeconds: 60 })).toEqual({
      ...{ problem: null, caution: null },
    });
  });
});
