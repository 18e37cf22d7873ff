import { InvalidArgumentError, Option } from 'commander';

/** A whole number from `least` on, as an option is given. */
export function wholeFrom(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!Number.isInteger(number) || number < least)
      throw new InvalidArgumentError(`It must be a whole number, ${least} or more.`);
    return number;
  };
}

/** How many items of a list are shown. */
export function limitOption(): Option {
  return new Option('--limit <n>', 'maximum number').default(50).argParser(wholeFrom(1));
}

/** Words separated by commas, as an option is given. */
export function words(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}

/** One more value of an option that may be given several times. */
export function collected(text: string, before: string[] = []): string[] {
  return [...before, text];
}

/** A user id of the platform instead of a phone number. */
const USER_ID = /^[A-Z]{2}(?:\.[A-Za-z0-9]+)+$/;

/** Whether a person is given by user id. */
export function isUserId(text: string): boolean {
  return USER_ID.test(text);
}

/** A JSON object, as an option is given. */
export function jsonObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Refused below.
  }
  throw new InvalidArgumentError(`It must be a JSON object, such as '{"phone":"Mobile","values":["First name"]}'.`);
}

/** Values by the number of their placeholder, from 1. */
export function numbered(values: readonly string[]): Record<string, string> {
  return Object.fromEntries(values.map((text, index) => [String(index + 1), text]));
}
