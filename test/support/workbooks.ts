import { Workbook } from 'exceljs';

/** An xlsx file with these sheets, each with its rows of cells; those in `hidden` are hidden. */
export async function workbookOf(
  sheets: Readonly<Record<string, readonly (readonly (string | number | Date | null)[])[]>>,
  hidden: readonly string[] = [],
): Promise<Buffer> {
  const workbook = new Workbook();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = workbook.addWorksheet(name, { state: hidden.includes(name) ? 'hidden' : 'visible' });
    for (const row of rows) sheet.addRow([...row]);
  }
  return Buffer.from(await workbook.xlsx.writeBuffer());
}

/** A workbook as people have it: the list is on the second sheet, below a title, with dates of both orders. */
export function messyWorkbook(): Promise<Buffer> {
  const list = [
    ['Kunden Mai 2026'],
    [],
    ['Nr', 'Vorname', 'Termin', 'Handy'],
    [1, 'Ann', '03/04/2026', '+4915123456781'],
    [2, 'Ben', '25/04/2026', '+4915123456782'],
    [3, 'Cy', '04/26/2026', '+4915123456783'],
    [4, 'Dan', '04/27/2026', '12'],
  ];
  const sheets = { Alt: [['Phone'], ['+4915123456789']], 'Müller "Süd"': list, Listen: [['Bonn']], Leer: [] };
  return workbookOf(sheets, ['Listen']);
}
