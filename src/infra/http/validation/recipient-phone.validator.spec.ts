import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { IsRecipientPhone } from './recipient-phone.validator';

class Send {
  @IsRecipientPhone()
  to: unknown;
}

function isAccepted(to: unknown): boolean {
  return validateSync(Object.assign(new Send(), { to })).length === 0;
}

describe('IsRecipientPhone', () => {
  it.each(['4915112345678', '525512345678', '5491123456789', '551187654321'])('accepts %s', (to) => {
    expect(isAccepted(to)).toBe(true);
  });

  it.each([
    ['5215512345678', '525512345678'],
    ['49015112345678', '4915112345678'],
    ['390612345678', '390612345678'],
    ['+4915112345678', '+4915112345678'],
  ])('normalises %s to %s', (to, canonical) => {
    expect(plainToInstance(Send, { to }).to).toBe(canonical);
  });

  it.each(['+4915112345678', '49151', '52155123456789', '015112345678', 4915112345678, null])('rejects %p', (to) => {
    expect(isAccepted(to)).toBe(false);
  });

  it.each([
    ['015112345678', 'to looks like a national number'],
    ['+4915112345678', 'without + or spaces'],
    [undefined, 'to must be a phone number'],
  ])('explains %p: %s', (to, words) => {
    const [error] = validateSync(Object.assign(new Send(), { to }));
    expect(error?.constraints?.matches).toContain(words);
  });

  it('reports a number like any value that is not a string', () => {
    const [error] = validateSync(Object.assign(new Send(), { to: 4915112345678 }));
    expect(error?.constraints?.isString).toBe(
      'to must be a string: write the number in quotes, such as "4915112345678".',
    );
  });
});
