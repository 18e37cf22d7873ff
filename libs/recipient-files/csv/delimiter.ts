/** Possible delimiters, in order of preference. */
const DELIMITERS = [',', ';', '\t', '|'] as const;
const MAX_RECORDS = 50;
/** A trimmed phone number, also in the scientific notation of spreadsheet programs: 4,91512E+12 */
const PHONE_LIKE = /^(?:[+(]?[\p{Nd}\s().'\u00a0\u200e\u200f\u202a-\u202e-]{6,}|\p{Nd}(?:[.,]\p{Nd}+)?E\+\p{Nd}+)$/iu;
/** Characters allowed around a phone number in a cell; `=` is allowed before it only. */
const PADDING = /[\s"']/;

/** The delimiter of a file; `declared`: set by the first line (`sep=;`). */
export interface DetectedDelimiter {
  delimiter: string;
  declared: boolean;
}

/**
 * Detects the delimiter from the head of the text: the one in a `sep=` line, otherwise the one that leaves a phone number in
 * the first cell of the most records, then the one with the most records of equal length.
 */
export function detectDelimiter(head: string, isEntireFile: boolean): DetectedDelimiter {
  const declared = /^"?sep=(.)"?(?:\r|\n|$)/i.exec(head)?.[1];
  if (declared !== undefined) return { delimiter: declared, declared: true };
  let best = { delimiter: ',' as string, phones: -1, equalRecords: -1, cells: -1 };
  for (const delimiter of DELIMITERS) {
    const score = { delimiter, ...scoreOf(head, isEntireFile, delimiter) };
    const better = score.phones - best.phones || score.equalRecords - best.equalRecords || score.cells - best.cells;
    if (better > 0) best = score;
  }
  return { delimiter: best.delimiter, declared: false };
}

function scoreOf(
  head: string,
  isEntireFile: boolean,
  delimiter: string,
): { phones: number; equalRecords: number; cells: number } {
  const records = splitRecords(head, delimiter);
  // The last record may be incomplete.
  if (!isEntireFile && records.length > 1) records.pop();
  const byCells = new Map<number, number>();
  let phones = 0;
  for (const { first, cells } of records) {
    if (looksLikePhone(first)) phones++;
    if (cells > 1) byCells.set(cells, (byCells.get(cells) ?? 0) + 1);
  }
  const [cells = 1, equalRecords = 0] = [...byCells].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [];
  return { phones, equalRecords, cells };
}

/** Runs in linear time; one pattern including the padding would backtrack on runs of spaces. */
function looksLikePhone(cell: string): boolean {
  let start = 0;
  let end = cell.length;
  while (start < end && (cell[start] === '=' || PADDING.test(cell.charAt(start)))) start++;
  while (end > start && PADDING.test(cell.charAt(end - 1))) end--;
  return PHONE_LIKE.test(cell.slice(start, end));
}

/** The first non-blank records: first cell and number of cells. Quoted delimiters are ignored. */
function splitRecords(head: string, delimiter: string): { first: string; cells: number }[] {
  const records: { first: string; cells: number }[] = [];
  let quoted = false;
  let cells = 1;
  let firstEnd = -1;
  let start = 0;
  for (let at = 0; at <= head.length && records.length < MAX_RECORDS; at++) {
    const character = head.charAt(at);
    if (character === '"') quoted = !quoted;
    else if (at === head.length || (!quoted && (character === '\n' || character === '\r'))) {
      if (head.slice(start, at).trim() !== '') {
        records.push({ first: head.slice(start, firstEnd === -1 ? at : firstEnd), cells });
      }
      start = at + 1;
      cells = 1;
      firstEnd = -1;
    } else if (!quoted && character === delimiter) {
      cells++;
      if (firstEnd === -1) firstEnd = at;
    }
  }
  return records;
}
