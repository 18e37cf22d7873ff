import { isUserId } from '../../../kernel/user-id';
import type { SheetLayout } from '../../recipient-files/domain/file-rows';
import type { CardExtras, TemplateExtras } from '../../templates/domain/template-extras';

/** The sheet that a job was created from. */
export interface JobSheet extends SheetLayout {
  /** Whether its columns were given by name. */
  byName: boolean;
  /** Of a CSV file; absent: another file, or a job of an early version. */
  delimiter?: string;
}

/** What the report of a job shows in addition to phones, values and outcomes. */
export interface ReportColumns {
  /** The fields of `ownTexts` that its recipients have, in order. */
  fields: string[];
  /** Null: the job was not created from a file, or by an early version. */
  sheet: JobSheet | null;
}

/** What a recipient has of its own. */
export interface OwnContent {
  /** The phone number, or the user id if the number is unknown. */
  person: string;
  userId: string | null;
  reference: string | null;
  own: TemplateExtras | null;
}

/** A recipient with its values and the other cells of its row; null: it has none. */
export interface SheetRecipient extends OwnContent {
  parameters: readonly string[];
  otherCells: readonly string[] | null;
}

/** The user id, reference and extras of a recipient, by the names of their fields in a request, such as `cards[0].headerMediaUrl`. */
export function ownTexts({ person, userId, reference, own }: OwnContent): Record<string, string> {
  const { fileName, flow, cards = [], ...content } = own ?? {};
  return givenOf([
    ['userId', userId ?? (isUserId(person) ? person : undefined)],
    ['reference', reference],
    ...contentOf('', content),
    ['headerMediaFileName', fileName],
    ['flowToken', flow?.token],
    ...cards.flatMap((card, index) => contentOf(`cards[${index}].`, card)),
  ]);
}

function contentOf(prefix: string, { id, link, product, payloads = {} }: CardExtras): [string, string | undefined][] {
  return [
    [`${prefix}headerMediaId`, id],
    [`${prefix}headerMediaUrl`, link],
    [`${prefix}product.catalogId`, product?.catalogId],
    [`${prefix}product.productId`, product?.productId],
    ...Object.entries(payloads).map(([button, text]): [string, string] => [
      `${prefix}quickReplyPayloads.${button}`,
      text,
    ]),
  ];
}

function givenOf(entries: readonly [string, string | null | undefined][]): Record<string, string> {
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** The order of the fields in a report. */
export function inOrder(fields: Iterable<string>): string[] {
  return [...fields].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** The cells of a recipient's row in the sheet, as far as they are known; blank if the person was erased. */
export function sheetCells({ titles, uses }: JobSheet, recipient: SheetRecipient): string[] {
  const { parameters, otherCells } = recipient;
  const own = ownTexts(recipient);
  return titles.map((_, column) => {
    const other = otherCells?.[column];
    if (other) return other;
    const use = uses[column];
    if (!use) return '';
    if (use === 'phone') return phoneOf(recipient);
    return (use.startsWith('values.') ? parameters[Number(use.slice('values.'.length))] : own[use]) ?? '';
  });
}

/** Rows with a user id that were read by columns have the cell of their phone among the others. */
function phoneOf({ person, userId, otherCells }: SheetRecipient): string {
  if (otherCells === null) return userId ?? person;
  return userId !== null || isUserId(person) ? '' : person;
}
