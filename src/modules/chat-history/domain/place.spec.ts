import { afterMoment, beforeMoment, cursorOf, earlierOf, placeOf } from './place';

const ID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';
const place = { at: '2026-01-15T09:30:00.123456Z', id: ID };
const cursor = (text: string) => Buffer.from(text).toString('base64url');

describe('A place in a list', () => {
  it('comes back out of its cursor, to the microsecond', () => {
    expect(placeOf(cursorOf(place))).toEqual(place);
  });

  it.each([
    '',
    'x',
    `${place.at} x`,
    `${place.at}`,
    `2026-02-30T09:30:00.123456Z ${ID}`,
    `2026-13-01T09:30:00.123456Z ${ID}`,
    `2026-01-15T24:30:00.123456Z ${ID}`,
    `0000-01-15T09:30:00.123456Z ${ID}`,
    `2026-01-15T09:30:00.123Z ${ID}`,
    `${place.at} ${ID} `,
    `${place.at} ${ID}'; --`,
  ])('is not read out of %j, which the database would not take', (text) => {
    expect(placeOf(cursor(text))).toBeNull();
  });

  it('lies before or after everything of a moment', () => {
    const moment = new Date('2026-01-15T09:30:00.123Z');
    const within = { at: '2026-01-15T09:30:00.123000Z', id: ID };
    expect(earlierOf(beforeMoment(moment), within)).toEqual(beforeMoment(moment));
    expect(earlierOf(afterMoment(moment), within)).toEqual(within);
  });

  it('is kept within the times that a database has', () => {
    expect(beforeMoment(new Date(-8.64e15)).at).toBe('1900-01-01T00:00:00.000000Z');
    expect(beforeMoment(new Date(8.64e15)).at).toBe('9999-12-31T00:00:00.000000Z');
  });

  it('is earlier by time first, then by id; one that is not given limits nothing', () => {
    const later = { at: '2026-01-15T09:30:00.123457Z', id: '0' };
    expect(earlierOf(later, place)).toBe(place);
    expect(earlierOf({ ...place, id: 'f' }, place)).toBe(place);
    expect(earlierOf(undefined, place)).toBe(place);
    expect(earlierOf(place, undefined)).toBe(place);
    expect(earlierOf(undefined, undefined)).toBeUndefined();
  });
});
