import { AmbiguousNumbers, type NationalNumbers } from '../../phone-numbers/ambiguous-numbers';
import { type PhoneReading, PhoneNumbers } from '../../phone-numbers/phone-numbers';
import { UnlikelyNumbers } from '../../phone-numbers/unlikely-numbers';
import { readPhoneNumber, readPhoneText } from '../../phone-numbers/phone-text';
import type { RowErrorCode } from '../recipient-file';
import type { SheetRow } from '../sheet-row';
import { isUserId } from './extra-text';
import { printable } from './parameter-text';
import { numberOf, phoneCell } from './row-cells';

/** Longest text of a phone cell that is repeated, in characters. */
const MAX_PHONE_CHARACTERS = 64;

/** The phone column, and that of user ids, if there is one. */
export interface PersonColumns {
  phone: number;
  userId?: number | undefined;
}

/** Reads who each row is for: a phone number, or a user id in its place. */
export class RowPhones {
  private readonly phones: PhoneNumbers;
  private readonly ambiguous: AmbiguousNumbers;
  private readonly unlikely = new UnlikelyNumbers();

  constructor(rules: NationalNumbers) {
    this.phones = new PhoneNumbers(rules.defaultCountry, rules.nationalFirst);
    this.ambiguous = new AmbiguousNumbers(rules);
  }

  /** The number or user id of a row, or its error. */
  read(row: SheetRow, columns: PersonColumns): PhoneReading | { code: RowErrorCode } {
    const { phone: column } = columns;
    // An error such as #N/A has a text; a formula that was never calculated has none.
    if (row.withoutValue?.get(column) === '') return { code: 'formula_without_value' };
    const number = numberOf(row, column);
    const text = number === undefined ? readPhoneText(row.cells[column] ?? '') : readPhoneNumber(number);
    if (typeof text !== 'string') {
      return this.phones.interpret(text.digits, text.international) ?? { code: 'phone_invalid' };
    }
    const userId = this.userIdOf(row, columns);
    return userId === undefined ? { code: text } : { number: userId };
  }

  /** A user id instead of a phone number: in its column, or in the user id column while that of the number is blank. */
  userIdOf(row: SheetRow, columns: PersonColumns): string | undefined {
    const text = row.cells[columns.phone]?.trim() ?? '';
    if (text !== '') return isUserId(text) ? text : undefined;
    const userId = columns.userId === undefined ? '' : (row.cells[columns.userId]?.trim() ?? '');
    return isUserId(userId) ? userId : undefined;
  }

  /** The text of the phone cell, as an error or a warning repeats it. */
  textOf(row: SheetRow, column: number): string {
    return printable(phoneCell(row, column), MAX_PHONE_CHARACTERS);
  }

  /** Counts the number of a valid row if it has two readings, or is in no numbering plan. */
  count(row: SheetRow, column: number, reading: PhoneReading): void {
    if (isUserId(reading.number)) return;
    if (reading.other !== undefined) this.ambiguous.add(row.rowNumber, this.textOf(row, column), reading);
    this.unlikely.add(row.rowNumber, reading.number, () => this.textOf(row, column));
  }

  /** Of numbers with two readings, and of unlikely ones. */
  warnings(): string[] {
    return [...this.ambiguous.warnings(), ...this.unlikely.warnings()];
  }
}
