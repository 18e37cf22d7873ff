import type { FileCheckDto, TemplateDto } from '../../../client/generated/types.gen';
import type { ColumnField, Mapping, SourceChoice } from '../../app/columns/column-mapping';
import { slotsOf } from '../../ui/bubble/template-values';

const MEDIA = { Image: 'picture', Video: 'video', Document: 'document' } as const;

/** What the header of the template shows, if it is a file: `picture`, `video` or `document`. */
export function mediaOf({ headerFormat }: Pick<TemplateDto, 'headerFormat'>): string | undefined {
  return headerFormat in MEDIA ? MEDIA[headerFormat as keyof typeof MEDIA] : undefined;
}

/** What columns can fill in a send of the template. */
export function columnFieldsOf(template: TemplateDto): ColumnField[] {
  const { headerFormat, buttons, parameterCount, category } = template;
  const slots = slotsOf(template);
  const optional = (key: string, label: string): ColumnField => ({ key, label, required: false });
  const media = mediaOf(template);
  return [
    { key: 'phone', label: 'Phone', required: true },
    ...Array.from({ length: parameterCount }, (_, index) => {
      return { key: `values.${index}`, label: slots[index]?.label ?? `Value ${index + 1}`, required: true };
    }),
    ...(category === 'Authentication' ? [] : [optional('userId', 'WhatsApp user ID')]),
    ...(media
      ? [
          optional('headerMediaUrl', `Link to the header ${media}`),
          optional('headerMediaId', `Media ID of the header ${media}`),
        ]
      : []),
    ...(headerFormat === 'Document' ? [optional('headerMediaFileName', 'File name')] : []),
    ...buttons.flatMap(({ type, text }, index) =>
      type === 'QuickReply' ? [optional(`quickReplyPayloads.${index}`, `Payload of “${text}”`)] : [],
    ),
    ...(buttons.some(({ type }) => type === 'Flow') ? [optional('flowToken', 'Flow token')] : []),
    optional('reference', 'Reference'),
  ];
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
  /** Why it is not sent; absent: it is. */
  problem?: string;
}

/** The rows that a check returned, those with problems first. */
export function previewRowsOf(
  { errors, sample }: Pick<FileCheckDto, 'errors' | 'sample'>,
  mapping: Mapping,
  sources: readonly SourceChoice[],
): PreviewRow[] {
  const cellOf = (cells: readonly string[], key: string) => {
    const index = sources.findIndex(({ source }) => source === mapping[key]?.source);
    return cells[index] ?? '';
  };
  const values = Object.keys(mapping).filter((key) => key.startsWith('values.')).length;
  const bad = errors.flatMap(({ rowNumber, message, cells }): PreviewRow[] => {
    if (!cells) return [];
    const texts = Array.from({ length: values }, (_, index) => cellOf(cells, `values.${index}`));
    return [{ rowNumber, person: cellOf(cells, 'phone'), values: texts, problem: message }];
  });
  return [...bad, ...sendableRows(sample)];
}

/** The rows that can be sent. */
export function sendableRows(sample: FileCheckDto['sample']): PreviewRow[] {
  return sample.map(({ rowNumber, phone, userId, parameters }) => {
    return { rowNumber, person: phone ? `+${phone}` : (userId ?? ''), values: parameters };
  });
}
