import type { Readable } from 'node:stream';
import { type ZipPiece, zipStream } from './zip-stream';

/**
 * A row: its cells in column order. Strings are never converted, and are cut after 32,767 characters; null is an empty cell. A Date is
 * a local time, given as if it were UTC.
 */
export type XlsxRow = readonly (string | number | Date | null)[];

/** The media type of an xlsx file. */
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The limit of spreadsheet programs. */
const ROWS_PER_SHEET = 1_048_576;
/** Spreadsheet programs treat a file with longer cells as damaged. */
const CHARACTERS_PER_CELL = 32_767;
/** Column widths in characters. */
const WIDTH = { least: 8, most: 60, margin: 2 };
/** Approximate size of a write: V8 frees strings over 128 KB only in a full collection, and a character may take two bytes. */
const CHUNK_CHARACTERS = 32_768;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const FROZEN_HEADER =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
  '</sheetView></sheetViews>';
/** The attributes of a cell in the second and the third of the formats below. */
const BOLD = ' s="1"';
const TIME = ' s="2"';
/** The days from 1899-12-30, with which spreadsheet programs begin to count, to 1970-01-01. */
const EPOCH_DAYS = 25_569;
const DAY_MS = 86_400_000;
/** Length of a shown time. */
const TIME_CHARACTERS = 16;
const STYLES =
  `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
  '<cellXfs count="3"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>';

/**
 * Streams an xlsx file with `header` as the first row of each sheet, bold, frozen and with filters, and the rows of `parts` below; the rows that
 * exceed one sheet continue in the next. Columns are as wide as the header and the first part need. Reads `parts` no faster than it is read, one part at a time. Destroying it returns `parts`; an error of
 * `parts` destroys it.
 */
export function xlsxStream(
  header: XlsxRow,
  parts: AsyncGenerator<readonly XlsxRow[]>,
  rowsPerSheet = ROWS_PER_SHEET,
  sheetWord = 'Sheet',
): Readable {
  return zipStream(packagePieces(header, parts, rowsPerSheet, sheetWord));
}

async function* packagePieces(
  header: XlsxRow,
  parts: AsyncGenerator<readonly XlsxRow[]>,
  rowsPerSheet: number,
  sheetWord: string,
): AsyncGenerator<ZipPiece> {
  const columns = header.map((_, index) => columnName(index));
  let sheets = 0;
  let rest: readonly XlsxRow[] = [];
  let cols = colsXml(header, []);

  const hasMore = async (): Promise<boolean> => {
    while (rest.length === 0) {
      const next = await parts.next();
      if (next.done) return false;
      rest = next.value;
    }
    return true;
  };

  try {
    do {
      const file = `xl/worksheets/sheet${++sheets}.xml`;
      let row = 1;
      if (sheets === 1 && (await hasMore())) cols = colsXml(header, rest);
      yield {
        file,
        data: `${DECLARATION}<worksheet xmlns="${MAIN}">${FROZEN_HEADER}${cols}<sheetData>${rowXml(header, row, columns, BOLD)}`,
      };
      while (row < rowsPerSheet && (await hasMore())) {
        const fitting = rest.slice(0, rowsPerSheet - row);
        rest = rest.slice(fitting.length);
        let data = '';
        for (const cells of fitting) {
          data += rowXml(cells, ++row, columns);
          if (data.length < CHUNK_CHARACTERS) continue;
          yield { file, data };
          data = '';
        }
        yield { file, data };
      }
      const cells = `A1:${columns.at(-1)}${row}`;
      yield { file, data: `</sheetData><autoFilter ref="${cells}"/></worksheet>` };
    } while (await hasMore());
    for (const [file, xml] of Object.entries(packageParts(sheets, sheetWord))) yield { file, data: DECLARATION + xml };
  } finally {
    await parts.return(undefined);
  }
}

/** The package files that list the sheets. */
function packageParts(sheets: number, sheetWord: string): Record<string, string> {
  const each = (of: (sheet: number) => string): string => Array.from({ length: sheets }, (_, n) => of(n + 1)).join('');
  return {
    '[Content_Types].xml':
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>` +
      `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/>` +
      each((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${CONTENT}.worksheet+xml"/>`) +
      '</Types>',
    '_rels/.rels':
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONSHIPS}/officeDocument" ` +
      'Target="xl/workbook.xml"/></Relationships>',
    'xl/workbook.xml':
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><bookViews><workbookView/></bookViews><sheets>` +
      each((n) => `<sheet name="${sheetWord}${n}" sheetId="${n}" r:id="rId${n}"/>`) +
      '</sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      `<Relationships xmlns="${PACKAGE}/relationships">` +
      each((n) => `<Relationship Id="rId${n}" Type="${RELATIONSHIPS}/worksheet" Target="worksheets/sheet${n}.xml"/>`) +
      `<Relationship Id="styles" Type="${RELATIONSHIPS}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': STYLES,
  };
}

function colsXml(header: XlsxRow, rows: readonly XlsxRow[]): string {
  const widths = header.map((title, index) => {
    const longest = rows.reduce((most, cells) => Math.max(most, lengthOf(cells[index])), lengthOf(title));
    return Math.min(WIDTH.most, Math.max(WIDTH.least, longest + WIDTH.margin));
  });
  const each = widths.map((width, n) => `<col min="${n + 1}" max="${n + 1}" width="${width}" customWidth="1"/>`);
  return `<cols>${each.join('')}</cols>`;
}

function lengthOf(cell: XlsxRow[number] | undefined): number {
  return cell instanceof Date ? TIME_CHARACTERS : String(cell ?? '').length;
}

/** `style`: attributes of each cell. */
function rowXml(cells: XlsxRow, row: number, columns: readonly string[], style = ''): string {
  let xml = `<row r="${row}">`;
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index];
    if (cell instanceof Date) xml += `<c r="${columns[index]}${row}"${TIME}><v>${serialOf(cell)}</v></c>`;
    else if (typeof cell === 'number') xml += `<c r="${columns[index]}${row}"${style}><v>${cell}</v></c>`;
    else if (cell)
      xml += `<c r="${columns[index]}${row}"${style} t="inlineStr"><is><t xml:space="preserve">${escaped(cell.slice(0, CHARACTERS_PER_CELL))}</t></is></c>`;
  }
  return `${xml}</row>`;
}

/** The days since 1899-12-30. */
function serialOf(time: Date): number {
  return time.getTime() / DAY_MS + EPOCH_DAYS;
}

/** A, B, … Z, AA, … */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

const SPECIAL = /[&<>\0-\x1f\ud800-\udfff\ufffe\uffff]|_x/;
/** Not allowed in XML. */
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Cs}/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '_x000D_' };

function escaped(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(FORBIDDEN, '\ufffd')
    .replace(/[&<>\r]/g, (character) => ENTITIES[character]!);
}
