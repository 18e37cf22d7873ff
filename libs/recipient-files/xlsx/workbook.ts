import { posix } from 'node:path';
import { corrupt, unsupported } from '../file-refused';
import { sheetNamed } from '../sheets';
import { attribute } from './xml-text';
import type { XmlHandler } from './xml-tokenizer';
import type { ZipPackage } from './zip-package';

const SMALL_PART_BYTES = 20 * 1024 * 1024;
const MAIN_PART =
  /spreadsheetml\.(?:sheet|template)\.main\+xml$|ms-excel\.(?:sheet|template)\.macroenabled\.main\+xml$/i;

/** A sheet; `part` is its name in the zip container. */
export interface Worksheet {
  name: string;
  part: string;
}

/** The sheets to read and the data to interpret it; part names are those of the zip container. */
export interface Workbook {
  /** The visible worksheets, else the first hidden one; the named one alone. */
  sheets: [Worksheet, ...Worksheet[]];
  sharedStringsPart: string | undefined;
  stylesPart: string | undefined;
  date1904: boolean;
  /** Whether the formulas were not calculated and must be calculated when the file is opened. */
  calculatesOnLoad: boolean;
}

interface Relation {
  id: string;
  type: string;
  target: string;
}

/** Finds the visible worksheets, or the one named `sheetName`. Throws FileRefused if the container is not a workbook of this format. */
export async function findWorkbook(zip: ZipPackage, sheetName?: string): Promise<Workbook> {
  const mainPart = await findMainPart(zip);
  const sheets: { name: string; id: string; visible: boolean }[] = [];
  let date1904 = false;
  let calculatesOnLoad = false;
  await eachElement(zip, mainPart, (name, attributes) => {
    if (name === 'workbookPr') date1904 = isTrue(attribute(attributes, 'date1904'));
    else if (name === 'calcPr') calculatesOnLoad = isTrue(attribute(attributes, 'fullCalcOnLoad'));
    else if (name === 'sheet') {
      const state = attribute(attributes, 'state') ?? 'visible';
      const [title = '', id = ''] = [attribute(attributes, 'name'), attribute(attributes, 'id')];
      sheets.push({ name: title, id, visible: state === 'visible' });
    }
  });
  const relations = await readRelations(zip, mainPart);
  const worksheets = sheets.flatMap(({ id, ...sheet }) => {
    const relation = relations.find((one) => one.id === id);
    return relation?.type === 'worksheet' ? [{ ...sheet, part: relation.target }] : [];
  });
  const [first = worksheets[0], ...others] = worksheets.filter(({ visible }) => visible);
  if (first === undefined) throw corrupt('It contains no worksheet.');
  const partOf = (type: string): string | undefined => relations.find((relation) => relation.type === type)?.target;
  return {
    sheets: sheetName === undefined ? [first, ...others] : [sheetNamed(worksheets, sheetName)],
    sharedStringsPart: partOf('sharedStrings'),
    stylesPart: partOf('styles'),
    date1904,
    calculatesOnLoad,
  };
}

/** Parses a small part, calling `visit` for each opening tag with the names of its ancestors. */
export async function eachElement(
  zip: ZipPackage,
  part: string,
  visit: (name: string, attributes: string, parents: readonly string[]) => void,
): Promise<void> {
  const parents: string[] = [];
  const handler: XmlHandler = {
    open(name, attributes) {
      visit(name, attributes, parents);
      parents.push(name);
    },
    close() {
      parents.pop();
    },
    text() {},
  };
  await drain(zip.parse(part, SMALL_PART_BYTES, handler));
}

/** Consumes a generator. */
export async function drain(steps: AsyncGenerator): Promise<void> {
  while (!(await steps.next()).done);
}

async function findMainPart(zip: ZipPackage): Promise<string> {
  rejectOtherContainers(zip);
  const relations = await readRelations(zip, '');
  const mainPart = relations.find(({ type }) => type === 'officeDocument')?.target;
  if (mainPart === undefined) throw unsupported('The file is a zip archive, but not a spreadsheet.');
  let contentType: string | undefined;
  let defaultType: string | undefined;
  await eachElement(zip, '[Content_Types].xml', (name, attributes) => {
    const type = attribute(attributes, 'ContentType');
    if (name === 'Override') {
      const part = attribute(attributes, 'PartName')?.replace(/^\/+/, '');
      if (part?.toLowerCase() === mainPart.toLowerCase()) contentType = type;
    } else if (
      name === 'Default' &&
      mainPart.toLowerCase().endsWith(`.${attribute(attributes, 'Extension')?.toLowerCase()}`)
    ) {
      defaultType = type;
    }
  });
  const type = contentType ?? defaultType ?? '';
  if (MAIN_PART.test(type)) return mainPart;
  if (/sheet\.binary/i.test(type)) throw unsupported('The file is a binary workbook (.xlsb).');
  if (/wordprocessing|presentation|ms-word|ms-powerpoint|visio/i.test(type)) {
    throw unsupported('The file is an Office document, but not a spreadsheet.');
  }
  throw unsupported('The file is an Office document of an unknown kind.');
}

function rejectOtherContainers(zip: ZipPackage): void {
  if (zip.has('_rels/.rels') && zip.has('[Content_Types].xml')) return;
  if (zip.has('mimetype')) throw unsupported('The file is an OpenDocument file (such as .ods).');
  if (zip.hasFolder('xl/')) throw corrupt('Parts of the workbook are missing.');
  throw unsupported('The file is a zip archive, but not a spreadsheet.');
}

/** The relations of a part ('' is the container itself), with targets as part names and types without namespace. */
async function readRelations(zip: ZipPackage, part: string): Promise<Relation[]> {
  const folder = posix.dirname(part);
  const relations: Relation[] = [];
  const relationsPart = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  await eachElement(zip, relationsPart, (name, attributes) => {
    if (name !== 'Relationship' || attribute(attributes, 'TargetMode') === 'External') return;
    const target = (attribute(attributes, 'Target') ?? '').replaceAll('\\', '/');
    relations.push({
      id: attribute(attributes, 'Id') ?? '',
      type: (attribute(attributes, 'Type') ?? '').split('/').at(-1) ?? '',
      target: posix.join('/', target.startsWith('/') ? '' : folder, target).slice(1),
    });
  });
  return relations;
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on';
}
