import { attribute } from './xml-text';
import { eachElement } from './workbook';
import type { ZipPackage } from './zip-package';

/** Number formats by the style number of a cell: a code, the number of a built-in format, or undefined for "General". */
export type CellStyles = readonly (string | number | undefined)[];

/** Reads the number formats of the cell styles. Throws FileRefused if the part is damaged. */
export async function readCellStyles(zip: ZipPackage, part: string): Promise<CellStyles> {
  const codes = new Map<number, string>();
  const formatNumbers: number[] = [];
  await eachElement(zip, part, (name, attributes, parents) => {
    // The same elements also occur in the styles of conditional formats, which are ignored.
    const parent = parents.at(-1);
    if (name === 'numFmt' && parent === 'numFmts') {
      codes.set(Number(attribute(attributes, 'numFmtId')), attribute(attributes, 'formatCode') ?? '');
    } else if (name === 'xf' && parent === 'cellXfs') {
      formatNumbers.push(Number(attribute(attributes, 'numFmtId') ?? 0));
    }
  });
  return formatNumbers.map((number) => codes.get(number) ?? (number === 0 ? undefined : number));
}
