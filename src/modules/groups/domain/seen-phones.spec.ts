import { SeenPhones } from './seen-phones';

describe('SeenPhones', () => {
  it('accepts each number once', () => {
    const seen = new SeenPhones();
    expect([seen.add('5511987654321'), seen.add('5511987654321')]).toEqual([true, false]);
    expect([seen.add('999999999999999'), seen.add('999999999999998'), seen.add('999999999999999')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('forgets nobody while it grows, and is quick with numbers in a row', () => {
    const seen = new SeenPhones();
    const phones = Array.from({ length: 200_000 }, (_, index) => String(491510000000 + index * 10));
    expect(phones.every((phone) => seen.add(phone))).toBe(true);
    expect(phones.some((phone) => seen.add(phone))).toBe(false);
  });
});
