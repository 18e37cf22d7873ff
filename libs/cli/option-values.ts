import { type Command, InvalidArgumentError, Option } from 'commander';

/** Parses an option as a whole number of at least `least`. */
export function wholeFrom(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!Number.isInteger(number) || number < least)
      throw new InvalidArgumentError(`It must be a whole number, ${least} or more.`);
    return number;
  };
}

/** Parses an option that must have a value: that of an unset variable of a script would be ignored. */
export function nonEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

/** The maximum number of items in a list. */
export function limitOption(): Option {
  return new Option('--limit <n>', 'maximum number').default(50).argParser(wholeFrom(1));
}

/** An option with one of these values, in upper or lower case. */
export function choiceOption(flags: string, values: readonly string[], description?: string): Option {
  const option = new Option(flags, description).choices(values);
  const parse = option.parseArg!;
  return option.argParser((text: string, before: unknown) =>
    parse(values.find((value) => value.toLowerCase() === text.toLowerCase()) ?? text, before),
  );
}

/** Parses an option as comma-separated words. */
export function words(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}

/** Collects the values of a repeatable option. */
export function collected(text: string, before: string[] = []): string[] {
  return [...before, text];
}

/** A user id of the platform instead of a phone number. */
const USER_ID = /^[A-Z]{2}(?:\.[A-Za-z0-9]+)+$/;

/** Whether a person is given by user id. */
export function isUserId(text: string): boolean {
  return USER_ID.test(text);
}

/** How to read a file of people, and what to do with its invalid rows. */
export interface FileFlags<Columns> {
  header?: 'auto' | 'true' | 'false';
  sheet?: string;
  headerRow?: number;
  cellLanguage?: string;
  defaultCountry?: string;
  columns?: Columns;
  badRows?: string;
  rejectInvalid?: boolean;
  check?: boolean;
}

/** Adds the options of a command that uploads a file of people; `columns`: an example of its columns. */
export function readingFile(command: Command, columns: string): Command {
  return command
    .addOption(new Option('--header <header>', 'whether row 1 is a header').choices(['auto', 'true', 'false']))
    .option('--sheet <name>', 'sheet of a workbook (default: the first visible one with phone numbers)', nonEmpty)
    .option('--header-row <n>', 'row of the header, below titles that are not read', wholeFrom(1))
    .option(
      '--cell-language <language>',
      'writes dates and numbers of a workbook as a spreadsheet program in this language shows them, such as de',
      nonEmpty,
    )
    .option(
      '--default-country <code>',
      'country of numbers without country code, such as DE, also of those valid in another country (default: that of the account)',
    )
    .option('--columns <json>', `columns by header or letter, such as '${columns}'`, jsonObject)
    .option('--bad-rows <file>', 'writes the invalid rows with what is wrong to this file, csv or xlsx');
}

/** Parses an option as a JSON object. */
function jsonObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Refused below.
  }
  throw new InvalidArgumentError(`It must be a JSON object, such as '{"phone":"Mobile","values":["First name"]}'.`);
}

const AGE = /^(\d+)([mhd])$/;
const MINUTES = { m: 1, h: 60, d: 1440 };
const ZONED_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** The form of a time in the past, for the help of an option. */
export const PAST_TIME = 'an age such as 90m, 2h or 3d, or a time such as 2026-11-27T14:00Z';

/** Parses an option as a time in the past: an age, `90m`, `2h` or `3d`, or a time with a zone. */
export function pastTime(text: string): Date {
  const now = Date.now();
  const [, number, unit] = AGE.exec(text) ?? [];
  const time = unit ? now - Number(number) * MINUTES[unit as keyof typeof MINUTES] * 60_000 : Date.parse(text);
  if ((!unit && !ZONED_TIME.test(text)) || !(time <= now)) {
    throw new InvalidArgumentError(
      'Write it as an age, 90m, 2h or 3d, or as a past time with its zone, 2026-11-27T14:00Z.',
    );
  }
  return new Date(time);
}

/** A send window: days of the week, 1 (Monday) to 7, all if absent, and times of the day. */
export interface WindowOption {
  from: string;
  until: string;
  days?: number[];
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const WINDOW = /^(?:(\S+) +)?(\d\d:\d\d) ?- ?(\d\d:\d\d)$/;

/** Parses a send window such as `mon-fri 09:00-18:00` or `sat,sun 10:00-14:00`. */
export function sendWindow(text: string): WindowOption {
  const [, days, from, until] = WINDOW.exec(text.trim().toLowerCase()) ?? [];
  const numbers = days?.split(',').flatMap(daysBetween);
  if (from === undefined || until === undefined || numbers?.includes(0)) {
    throw new InvalidArgumentError('Write it as "mon-fri 09:00-18:00", "sat,sun 10:00-14:00" or "09:00-20:00".');
  }
  return { from, until, ...(numbers && { days: [...new Set(numbers)].sort() }) };
}

/** A send window in the words of its option, such as `mon,tue,sat 09:00-18:00`, with its zone. */
export function windowText({ from, until, days = [], timeZone }: WindowOption & { timeZone: string }): string {
  const ranges = days
    .map((day) => DAYS[day - 1])
    .join(',')
    .replace(DAYS.join(','), '')
    .replace('mon,tue,wed,thu,fri', 'mon-fri');
  return [ranges, `${from}-${until}`, timeZone].filter(Boolean).join(' ');
}

/** The numbers of `mon` or `mon-fri`; 0 for a word that is no day. */
function daysBetween(range: string): number[] {
  const [first = '', last = first] = range.split('-');
  const [from, to] = [DAYS.indexOf(first), DAYS.indexOf(last)];
  if (from < 0 || to < 0) return [0];
  return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, n) => ((from + n) % 7) + 1);
}

/** Collects payloads of quick replies, `0=YES`, by the index of their button. */
export function payloads(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, index, payload] = /^(\d+)=(.+)$/s.exec(text) ?? [];
  if (index === undefined || payload === undefined) {
    throw new InvalidArgumentError(
      'Write it as the index of the button from 0, an equals sign and the payload: 0=YES.',
    );
  }
  return { ...before, [index]: payload };
}

/** Values by the number of their placeholder, from 1. */
export function numbered(values: readonly string[]): Record<string, string> {
  return Object.fromEntries(values.map((text, index) => [String(index + 1), text]));
}
