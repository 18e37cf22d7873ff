import type { FileCheckDto, RowErrorDto, SampleRecipientDto, TemplateDto } from '../../../client/generated/types.gen';
import type { ColumnField, Mapping, SourceChoice } from '../../app/columns/column-mapping';
import { FIRST_NAMES, NAMES } from '../../app/columns/name-headers';
import { t } from '../../language/translate';
import { slotsOf, type ValueSlot } from '../../ui/bubble/template-values';
import { aroundSlot, isGreeted } from './group-values';

/** Words shown before and after a placeholder. */
const NEIGHBOURS = 4;

/** What the header of a template shows. */
export type HeaderMedia = 'Image' | 'Video' | 'Document';

/** The labels of the columns that fill a header with media. */
const MEDIA_COLUMNS: Readonly<Record<HeaderMedia, { url: string; id: string }>> = {
  Image: { url: t('Link to the header picture'), id: t('Media ID of the header picture') },
  Video: { url: t('Link to the header video'), id: t('Media ID of the header video') },
  Document: { url: t('Link to the header document'), id: t('Media ID of the header document') },
};

/** What the header of the template shows, if it is a file. */
export function mediaOf({ headerFormat }: Pick<TemplateDto, 'headerFormat'>): HeaderMedia | undefined {
  return headerFormat === 'Image' || headerFormat === 'Video' || headerFormat === 'Document' ? headerFormat : undefined;
}

/** The label of the column with links to the media of a header. */
export function mediaUrlLabel(media: HeaderMedia): string {
  return MEDIA_COLUMNS[media].url;
}

/** What columns can fill in a send of the template. */
export function columnFieldsOf(template: TemplateDto): ColumnField[] {
  const { headerFormat, buttons, parameterCount, category } = template;
  const slots = slotsOf(template);
  const optional = (key: string, label: string): ColumnField => ({ key, label, required: false });
  const media = mediaOf(template);
  return [
    { key: 'phone', label: t('Phone'), required: true },
    ...Array.from({ length: parameterCount }, (_, index): ColumnField => {
      const slot = slots[index];
      return {
        key: `values.${index}`,
        label: slot?.label ?? t('Value {number}', { number: index + 1 }),
        required: true,
        takesText: true,
        ...(slot && { place: placeOf(slot, template) }),
        ...(slot && isGreeted(slot, template) && { headers: [FIRST_NAMES, NAMES] }),
      };
    }),
    ...(category === 'Authentication' ? [] : [optional('userId', t('WhatsApp user ID'))]),
    ...(media
      ? [optional('headerMediaUrl', MEDIA_COLUMNS[media].url), optional('headerMediaId', MEDIA_COLUMNS[media].id)]
      : []),
    ...(headerFormat === 'Document' ? [optional('headerMediaFileName', t('File name'))] : []),
    ...buttons.flatMap(({ type, text }, index) =>
      type === 'QuickReply'
        ? [optional(`quickReplyPayloads.${index}`, t('Payload of “{button}”', { button: text }))]
        : [],
    ),
    ...(buttons.some(({ type }) => type === 'Flow') ? [optional('flowToken', t('Flow token'))] : []),
    optional('reference', t('Reference')),
  ];
}

/** A placeholder among its neighbouring words, such as `Hello {{1}}, your order …`. */
export function placeOf(slot: ValueSlot, template: TemplateDto): string | undefined {
  const around = aroundSlot(slot, template);
  if (!around) return undefined;
  const [before, after] = [around.before.split(/\s+/), around.after.split(/\s+/)];
  const start = before.length > NEIGHBOURS ? '… ' : '';
  const end = after.length > NEIGHBOURS ? ' …' : '';
  const text = `${before.slice(-NEIGHBOURS).join(' ')}{{${slot.name}}}${after.slice(0, NEIGHBOURS).join(' ')}`;
  return `${start}${text}${end}`;
}

/** Whether every person can have header media of their own. */
export function hasMediaColumn(mapping: Mapping): boolean {
  return mapping.headerMediaUrl !== undefined || mapping.headerMediaId !== undefined;
}

/** A message to preview: of a row that cannot be sent, or of one that can. */
export interface PreviewRow {
  rowNumber: number;
  /** Number or user id, as far as it is known. */
  person: string;
  values: readonly string[];
  /** What this person has of its own; absent: nothing. */
  extras?: SampleRecipientDto['extras'];
  /** Why it cannot be sent; absent: it can. */
  problem?: Pick<RowErrorDto, 'code' | 'message'>;
  /** The person is skipped. */
  optedOut?: boolean;
}

/** The rows that a check returned, those with problems last. */
export function previewRowsOf(
  { errors, sample }: Pick<FileCheckDto, 'errors' | 'sample'>,
  mapping: Mapping,
  sources: readonly SourceChoice[],
): PreviewRow[] {
  const cellOf = (cells: readonly string[], key: string) => {
    const index = sources.findIndex(({ source }) => source === mapping[key]?.source);
    return cells[index] || (mapping[key]?.text ?? '');
  };
  const values = Object.keys(mapping).filter((key) => key.startsWith('values.')).length;
  const bad = errors.flatMap(({ rowNumber, code, message, cells }): PreviewRow[] => {
    if (!cells) return [];
    const texts = Array.from({ length: values }, (_, index) => cellOf(cells, `values.${index}`));
    return [{ rowNumber, person: cellOf(cells, 'phone'), values: texts, problem: { code, message } }];
  });
  return [...validRows(sample), ...bad];
}

/** The rows without a problem. */
export function validRows(sample: FileCheckDto['sample']): PreviewRow[] {
  return sample.map(({ rowNumber, phone, userId, parameters, extras, optedOut }) => {
    return { rowNumber, person: phone ? `+${phone}` : (userId ?? ''), values: parameters, extras, optedOut };
  });
}

/** A column that the service guessed, as a person reads it. */
export interface GuessedColumn {
  /** Such as `{{1}}`. */
  field: string;
  /** Header of the column. */
  source: string;
  example: string | undefined;
}

/** The guesses among the columns in use. */
export function guessedColumns(
  fields: readonly ColumnField[],
  mapping: Mapping,
  sources: readonly SourceChoice[],
  exampleOf: (key: string) => string | undefined,
): GuessedColumn[] {
  return fields.flatMap(({ key, label }) => {
    const chosen = mapping[key];
    if (chosen?.by !== 'guess') return [];
    const source = sources.find((one) => one.source === chosen.source)?.label ?? chosen.source;
    return [{ field: label, source, example: exampleOf(key) }];
  });
}
