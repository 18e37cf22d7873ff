import { nationalGroups } from './national-groups';

describe('A phone number', () => {
  it.each([
    ['4915123456789', '+49 1512 3456789'],
    ['12025550123', '+1 202 555 0123'],
    ['33612345678', '+33 6 12 34 56 78'],
    ['919876543210', '+91 98765 43210'],
    ['525512345678', '+52 55 1234 5678'],
    ['390612345678', '+39 06 1234 5678'],
  ])('is grouped as in its country: %s', (digits, grouped) => expect(nationalGroups(digits)).toBe(grouped));

  it('that no country has keeps its digits together', () => {
    expect(nationalGroups('99912345678')).toBe('+99912345678');
  });
});
