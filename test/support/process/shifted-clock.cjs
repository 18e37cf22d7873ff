/** Loaded first by a service whose machine's clock is to be wrong: CLOCK_SHIFT_MS is added to every time that its code reads. */
const SHIFT_MS = Number(process.env.CLOCK_SHIFT_MS);
const RealDate = Date;

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + SHIFT_MS);
    else super(...given);
  }

  static now() {
    return RealDate.now() + SHIFT_MS;
  }
};
