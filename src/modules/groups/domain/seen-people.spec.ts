import { SeenPeople } from './seen-people';

describe('SeenPeople', () => {
  it('accepts each number once', () => {
    const seen = new SeenPeople();
    expect([seen.add('5511987654321'), seen.add('5511987654321')]).toEqual([true, false]);
    expect([seen.add('999999999999999'), seen.add('999999999999998'), seen.add('999999999999999')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('accepts each user id once', () => {
    const seen = new SeenPeople();
    expect([seen.add('DE.1349'), seen.add('DE.1350'), seen.add('DE.1349')]).toEqual([true, true, false]);
  });

  it('keeps all numbers as it grows, and is fast with consecutive numbers', () => {
    const seen = new SeenPeople();
    const phones = Array.from({ length: 200_000 }, (_, index) => String(491510000000 + index * 10));
    expect(phones.every((phone) => seen.add(phone))).toBe(true);
    expect(phones.some((phone) => seen.add(phone))).toBe(false);
  });
});
