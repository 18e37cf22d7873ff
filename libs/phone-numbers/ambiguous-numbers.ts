import type { PhoneReading } from './phone-numbers';

/** How numbers without a country code are read. */
export interface NationalNumbers {
  /** ISO 3166 country that they are from; absent: they are invalid. */
  defaultCountry?: string | undefined;
  /** The import itself names the country, so digits that are also a valid international number are mobile numbers of the country. */
  nationalFirst?: boolean | undefined;
}

/** Counts the numbers of a list that have two valid readings. */
export class AmbiguousNumbers {
  private count = 0;
  private first: { rowNumber: number; text: string; number: string; other: string } | undefined;

  constructor(private readonly rules: NationalNumbers) {}

  /** Adds what a row was read as; `text`: its number as written. */
  add(rowNumber: number, text: string, { number, other }: PhoneReading): void {
    if (other === undefined) return;
    this.count++;
    this.first ??= { rowNumber, text, number, other };
  }

  /** One warning, with both readings of the first number and the remedy; empty if there are none. */
  warnings(): string[] {
    if (!this.first) return [];
    const { rowNumber, text, number, other } = this.first;
    const { defaultCountry, nationalFirst } = this.rules;
    const numbers = this.count === 1 ? '1 number without + or 00 has' : `${this.count} numbers without + or 00 have`;
    const remedy = nationalFirst
      ? 'Where that is wrong, write the number with + and its country code.'
      : `Where that is wrong, write the number with + and its country code, or set defaultCountry in the import to read such numbers as those of ${defaultCountry}.`;
    return [
      `ambiguous_numbers: ${numbers} two valid readings, international and national of ${defaultCountry}, first row ${rowNumber}: "${text}" was read as +${number}, not as +${other}. ${remedy}`,
    ];
  }
}
