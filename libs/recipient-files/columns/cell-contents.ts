const DIGITS = /^(?=(?:\D*\d){6})[\d\s+().\-/]+$/;
const DATE = /^\d{1,4}([./-])\d{1,2}\1\d{1,4}$/;
const WEB_ADDRESS = /^https?:\/\/\S+$/i;

/** Whether a cell has only digits and the punctuation of phone numbers, at least 6 digits; dates as well. */
export function isDigits(cell: string): boolean {
  return DIGITS.test(cell);
}

/** Whether a cell may be a phone number, valid or not. */
export function looksLikePhone(cell: string): boolean {
  return isDigits(cell.trim()) && !DATE.test(cell.trim());
}

export function isWebAddress(cell: string): boolean {
  return WEB_ADDRESS.test(cell.trim());
}

/** No cell of a header row is a number, such as a phone or an amount, or a web address. */
export function isHeader(cells: readonly string[]): boolean {
  return cells.some((cell) => /\p{L}/u.test(cell)) && !cells.some((cell) => isDigits(cell) || isWebAddress(cell));
}
