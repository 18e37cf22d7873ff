/** A form in which some numbers of a calling code are written, and what is dialled instead (a replacement of `String.replace`). */
interface WrittenForm {
  written: RegExp;
  dialled: string;
}

/**
 * Forms that reach the person and that libphonenumber takes for other numbers or for none: the platform itself writes Brazilian and
 * Mexican numbers in them.
 */
const WRITTEN_FORMS: Readonly<Record<string, readonly WrittenForm[]>> = {
  // Mexico: the 1 of mobile numbers and the trunk prefixes, all abolished in 2019
  '52': [{ written: /^52(?:1|01|044|045)(\d{10})$/, dialled: '52$1' }],
  // Argentina: the 9 of mobile numbers is missing, or stands beside the 15 of national notation
  '54': [
    { written: /^54([1-3]\d{9})$/, dialled: '549$1' },
    { written: /^549(?=\d{12}$)(\d{2,4}15\d{6,8})$/, dialled: '54$1' },
  ],
  // Brazil: the ninth digit of mobile numbers is missing
  '55': [{ written: /^55([1-9]\d)([6-9]\d{7})$/, dialled: '55$19$2' }],
};

/** The number in the one form that is dialled; other numbers stay as they are. */
export function asDialled(digits: string): string {
  const form = WRITTEN_FORMS[digits.slice(0, 2)]?.find(({ written }) => written.test(digits));
  return form === undefined ? digits : digits.replace(form.written, form.dialled);
}
