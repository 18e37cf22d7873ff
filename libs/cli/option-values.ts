import { InvalidArgumentError, Option } from 'commander';

/** Parses an option as a whole number of at least `least`. */
export function wholeFrom(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!Number.isInteger(number) || number < least)
      throw new InvalidArgumentError(`It must be a whole number, ${least} or more.`);
    return number;
  };
}

/** The maximum number of items in a list. */
export function limitOption(): Option {
  return new Option('--limit <n>', 'maximum number').default(50).argParser(wholeFrom(1));
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

/** Parses an option as a JSON object. */
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
