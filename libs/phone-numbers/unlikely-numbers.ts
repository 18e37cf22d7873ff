import { isInNumberingPlan } from './numbering-plans';

const ROWS_NAMED = 3;

/**
 * Counts the numbers of a list that are written without a country code, have a possible length, but are in no numbering plan: a digit is missing or
 * wrong, or the plan is new. Numbers with a country code come from systems, and are left to WhatsApp.
 */
export class UnlikelyNumbers {
  private count = 0;
  private readonly first: string[] = [];

  /** Adds what a row was read as; `text`: its number as written. */
  add(rowNumber: number, number: string, text: () => string): void {
    if (isInNumberingPlan(number)) return;
    const written = text();
    if (written.replace(/\D/g, '').replace(/^00/, '') === number) return;
    this.count++;
    if (this.first.length < ROWS_NAMED) this.first.push(`row ${rowNumber} ${JSON.stringify(written)} as +${number}`);
  }

  /** One warning with the first rows; empty if there are none. */
  warnings(): string[] {
    if (this.count === 0) return [];
    const [numbers, be] = this.count === 1 ? ['1 number has', 'is'] : [`${this.count} numbers have`, 'are'];
    return [
      `unlikely_numbers: ${numbers} a possible length, but ${be} in no numbering plan: ${this.first.join(', ')}` +
        `${this.count > ROWS_NAMED ? ', …' : ''}. A digit may be missing or wrong. They are accepted; correct those that are wrong.`,
    ];
  }
}
