import { afterMoment, beforeMoment, encodeCursor, earlierOf, decodeCursor } from './time-cursor';

const ID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';
const cursor = { at: '2026-01-15T09:30:00.123456Z', id: ID };
const encoded = (text: string) => Buffer.from(text).toString('base64url');

describe('A time cursor', () => {
  it('is decoded from its encoded form, to the microsecond', () => {
    expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor);
  });

  it.each([
    '',
    'x',
    `${cursor.at} x`,
    `${cursor.at}`,
    `2026-02-30T09:30:00.123456Z ${ID}`,
    `2026-13-01T09:30:00.123456Z ${ID}`,
    `2026-01-15T24:30:00.123456Z ${ID}`,
    `0000-01-15T09:30:00.123456Z ${ID}`,
    `2026-01-15T09:30:00.123Z ${ID}`,
    `${cursor.at} ${ID} `,
    `${cursor.at} ${ID}'; --`,
  ])('is not decoded from %j, which the database would reject', (text) => {
    expect(decodeCursor(encoded(text))).toBeNull();
  });

  it('can be before or after everything at a time', () => {
    const time = new Date('2026-01-15T09:30:00.123Z');
    const within = { at: '2026-01-15T09:30:00.123000Z', id: ID };
    expect(earlierOf(beforeMoment(time), within)).toEqual(beforeMoment(time));
    expect(earlierOf(afterMoment(time), within)).toEqual(within);
  });

  it('is limited to times that the database can store', () => {
    expect(beforeMoment(new Date(-8.64e15)).at).toBe('1900-01-01T00:00:00.000000Z');
    expect(beforeMoment(new Date(8.64e15)).at).toBe('9999-12-31T00:00:00.000000Z');
  });

  it('is earlier by time first, then by id; undefined is no limit', () => {
    const later = { at: '2026-01-15T09:30:00.123457Z', id: '0' };
    expect(earlierOf(later, cursor)).toBe(cursor);
    expect(earlierOf({ ...cursor, id: 'f' }, cursor)).toBe(cursor);
    expect(earlierOf(undefined, cursor)).toBe(cursor);
    expect(earlierOf(cursor, undefined)).toBe(cursor);
    expect(earlierOf(undefined, undefined)).toBeUndefined();
  });
});
