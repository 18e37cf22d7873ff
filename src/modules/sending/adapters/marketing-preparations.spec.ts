import { FakeClock } from '../../../../test/fakes/fake-clock';
import { MarketingPreparations } from './marketing-preparations';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describe('MarketingPreparations', () => {
  let clock: FakeClock;
  let preparations: MarketingPreparations;

  beforeEach(() => {
    clock = new FakeClock();
    preparations = new MarketingPreparations(clock);
  });

  it('expects a template that was never accepted to be under way for 15 minutes from its first refusal on', async () => {
    expect(preparations.mayBeUnderWay('promo')).toBe(true);
    await clock.advance(14 * MINUTE_MS);
    expect(preparations.mayBeUnderWay('promo')).toBe(true);
    await clock.advance(MINUTE_MS);
    expect(preparations.mayBeUnderWay('promo')).toBe(false);
    expect(preparations.mayBeUnderWay('another')).toBe(true);
  });

  it('knows an accepted one to be prepared, until it was not used for a week', async () => {
    preparations.mayBeUnderWay('promo');
    preparations.accepted('promo');
    expect(preparations.mayBeUnderWay('promo')).toBe(false);
    await clock.advance(6 * DAY_MS);
    expect(preparations.mayBeUnderWay('promo')).toBe(false);
    await clock.advance(DAY_MS);
    expect(preparations.mayBeUnderWay('promo')).toBe(true);
  });

  it('expects one that stayed refused for a week to be prepared anew', async () => {
    preparations.mayBeUnderWay('promo');
    await clock.advance(DAY_MS);
    expect(preparations.mayBeUnderWay('promo')).toBe(false);
    await clock.advance(6 * DAY_MS);
    expect(preparations.mayBeUnderWay('promo')).toBe(true);
  });
});
