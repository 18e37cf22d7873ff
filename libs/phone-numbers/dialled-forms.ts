/** A written form of numbers, and the dialled form as a replacement for `String.replace`. */
interface WrittenForm {
  written: RegExp;
  dialled: string;
}

/**
 * Written forms, by calling code, that libphonenumber reads as different or impossible numbers. The platform itself writes
 * Brazilian and Mexican numbers this way.
 */
const WRITTEN_FORMS: Readonly<Record<string, readonly WrittenForm[]>> = {
  // Mexico: the 1 of mobile numbers and the trunk prefixes, all abolished in 2019
  '52': [{ written: /^52(?:1|01|044|045)(\d{10})$/, dialled: '52$1' }],
  // Argentina: the 9 of mobile numbers is missing, or combined with the national 15
  '54': [
    { written: /^54([1-3]\d{9})$/, dialled: '549$1' },
    { written: /^549(?=\d{12}$)(\d{2,4}15\d{6,8})$/, dialled: '54$1' },
  ],
  // Brazil: the ninth digit of mobile numbers is missing
  '55': [{ written: /^55([1-9]\d)([6-9]\d{7})$/, dialled: '55$19$2' }],
};

/** Converts a number to its dialled form; other numbers are returned unchanged. */
export function asDialled(digits: string): string {
  const form = WRITTEN_FORMS[digits.slice(0, 2)]?.find(({ written }) => written.test(digits));
  return form === undefined ? digits : digits.replace(form.written, form.dialled);
}
