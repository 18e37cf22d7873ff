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

  it('considers a never accepted template in preparation for 15 minutes after its first refusal', async () => {
    expect(preparations.mayBePreparing('promo')).toBe(true);
    await clock.advance(14 * MINUTE_MS);
    expect(preparations.mayBePreparing('promo')).toBe(true);
    await clock.advance(MINUTE_MS);
    expect(preparations.mayBePreparing('promo')).toBe(false);
    expect(preparations.mayBePreparing('another')).toBe(true);
  });

  it('considers an accepted template prepared until it is unused for a week', async () => {
    preparations.mayBePreparing('promo');
    preparations.accepted('promo');
    expect(preparations.mayBePreparing('promo')).toBe(false);
    await clock.advance(6 * DAY_MS);
    expect(preparations.mayBePreparing('promo')).toBe(false);
    await clock.advance(DAY_MS);
    expect(preparations.mayBePreparing('promo')).toBe(true);
  });

  it('considers a template refused for a week in preparation again', async () => {
    preparations.mayBePreparing('promo');
    await clock.advance(DAY_MS);
    expect(preparations.mayBePreparing('promo')).toBe(false);
    await clock.advance(6 * DAY_MS);
    expect(preparations.mayBePreparing('promo')).toBe(true);
  });
});
