import { phoneForms, phoneKey } from './phone-number';

describe('phoneKey', () => {
  it.each([
    ['551187654321', '5511987654321'],
    ['5215512345678', '525512345678'],
    ['5491123456789', '541123456789'],
  ])('is one for %s and %s, which reach the same person', (one, other) => {
    expect(phoneKey(one)).toBe(phoneKey(other));
  });

  it.each(['5511987654321', '525512345678', '4915123456789', '551133445566', '12025550123', '5491', '521551234567'])(
    'is %s itself where there is no other form',
    (phone) => {
      expect(phoneKey(phone)).toBe(phone);
    },
  );

  it('keeps landlines of Brazil apart from mobile numbers', () => {
    expect(phoneKey('551133445566')).not.toBe(phoneKey('5511933445566'));
  });
});

describe('phoneForms', () => {
  it.each(['551187654321', '5215512345678', '541123456789', '4915123456789', '5491', '551133445566'])(
    'holds %s itself, and only numbers with its key',
    (phone) => {
      const forms = phoneForms(phone);
      expect(forms).toContain(phone);
      expect(forms.map(phoneKey)).toEqual(forms.map(() => phoneKey(phone)));
    },
  );
});
