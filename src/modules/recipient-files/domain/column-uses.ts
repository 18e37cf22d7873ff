/** The use of a column of a file. */
export interface FileColumn {
  /** Its letter in a spreadsheet: A, B, … */
  column: string;
  /** Its header; null if the file has no header row, or none for it. */
  header: string | null;
  /** The fields that it fills, separated by commas; null: unused. */
  use: string | null;
}

/**
 * The columns of a file: those with a header, or all `width` ones of a file without a header row, and those in use. `used`: columns, from 0,
 * with their uses.
 */
export function columnUses(
  headers: readonly string[],
  width: number,
  used: readonly { use: string; column: number }[],
): FileColumn[] {
  const uses: string[][] = [];
  for (const { use, column } of used) (uses[column] ??= []).push(use);
  return Array.from({ length: Math.max(uses.length, headers.length || width) }, (_, index) => ({
    column: columnName(index),
    header: headers[index] || null,
    use: uses[index]?.join(', ') ?? null,
  }));
}

/** The letters of a column, from 0. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}
