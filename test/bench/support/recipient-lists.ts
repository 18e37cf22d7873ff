import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWorkbook, sharedStringsXml, sheetXml } from '../../../libs/recipient-files/fixtures/build-workbook';

/** The format of a recipient list: a CSV file, or an Excel sheet with its text in one of two places. */
export type ListKind = 'csv' | 'xlsx shared strings' | 'xlsx inline strings';

/** Writes a list of `rows` different recipients in four countries, each with two values; returns its path. */
export function writeRecipientList(folder: string, kind: ListKind, rows: number): string {
  const path = join(folder, `${kind.replaceAll(' ', '-')}-${rows}.${kind.slice(0, 4).trim()}`);
  writeFileSync(path, kind === 'csv' ? csvOf(rows) : kind === 'xlsx shared strings' ? sharedOf(rows) : inlineOf(rows));
  return path;
}

/** Writes a CSV list as `writeRecipientList` does, whose rows have a document and a reference of their own; returns its path. */
export function writeListWithMedia(folder: string, rows: number): string {
  const path = join(folder, `with-media-${rows}.csv`);
  const lines = csvOf(rows).split('\r\n');
  const own = lines.map((line, n) => (n === 0 ? `${line},Document,Reference` : `${line},${documentOf(n)},R-${n}`));
  writeFileSync(path, own.join('\r\n'));
  return path;
}

function documentOf(row: number): string {
  return `https://files.example.com/invoices/2026/11/${row}.pdf`;
}

/** All different and valid; their last digits have no special meaning in the sandbox. */
function phone(n: number): string {
  const first = [49_151_10_000_000, 966_51_0_000_000, 1_415_200_0000, 44_7400_000_000][n % 4]!;
  return String(first + 10 * Math.floor(n / 4));
}

function csvOf(rows: number): string {
  const lines = ['Phone,Name,Order'];
  for (let n = 0; n < rows; n++) lines.push(`+${phone(n)},Customer ${n % 5000},PK-${n}`);
  return lines.join('\r\n');
}

function sharedOf(rows: number): Buffer {
  const strings = ['Phone', 'Name', 'Order'];
  const cells = [
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>',
  ];
  for (let name = 0; name < 5000; name++) strings.push(`Customer ${name}`);
  for (let n = 0; n < rows; n++) {
    const row = n + 2;
    strings.push(`+${phone(n)}`, `PK-${n}`);
    cells.push(
      `<row r="${row}"><c r="A${row}" t="s"><v>${5003 + 2 * n}</v></c><c r="B${row}" t="s"><v>${3 + (n % 5000)}</v></c><c r="C${row}" t="s"><v>${5004 + 2 * n}</v></c></row>`,
    );
  }
  const entries = strings.map((text) => `<si><t>${text}</t></si>`).join('');
  return buildWorkbook({ rows: cells.join(''), sharedStrings: sharedStringsXml(entries) });
}

function inlineOf(rows: number): Buffer {
  const cell = (column: string, row: number, text: string) =>
    `<c r="${column}${row}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const lines = [`<row r="1">${cell('A', 1, 'Phone')}${cell('B', 1, 'Name')}${cell('C', 1, 'Order')}</row>`];
  for (let n = 0; n < rows; n++) {
    const row = n + 2;
    const cells = [cell('A', row, `+${phone(n)}`), cell('B', row, `Customer ${n % 5000}`), cell('C', row, `PK-${n}`)];
    lines.push(`<row r="${row}">${cells.join('')}</row>`);
  }
  return buildWorkbook({ sheet: sheetXml(lines.join('')) });
}
