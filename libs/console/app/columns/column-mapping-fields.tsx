import { useId, useRef } from 'react';
import { locale, rich, t } from '../../language/translate';
import { Badge, type Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Input } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { Select } from '../../ui/select';
import { Note } from '../../ui/states';
import { type ChosenBy, type ColumnField, SAME_FOR_ALL, type SourceChoice } from './column-mapping';
import type { ColumnCheck } from './use-column-check';

const NOT_USED = '';
const LABELS: Record<ChosenBy, { text: string; tone: Tone }> = {
  certain: { text: t('Recognised'), tone: 'good' },
  guess: { text: t('Please check'), tone: 'warning' },
  person: { text: t('Your choice'), tone: 'plain' },
  memory: { text: t('As last time'), tone: 'plain' },
};

/** How each column of a file is used, to change and to confirm. */
export function ColumnMappingFields({
  check,
  fields,
  exampleOf = () => undefined,
  unused,
  disabled = false,
}: {
  check: Pick<
    ColumnCheck<unknown>,
    | 'sources'
    | 'sheet'
    | 'mapping'
    | 'initial'
    | 'missing'
    | 'isTouched'
    | 'isUncertain'
    | 'isRemembered'
    | 'isStale'
    | 'change'
    | 'changeText'
    | 'confirm'
    | 'checkAgain'
  >;
  fields: readonly ColumnField[];
  /** The text of the field for the first person; undefined: unknown. */
  exampleOf?: (key: string) => string | undefined;
  /** The sentence on columns without a use, with their names. */
  unused: (columns: string) => string;
  disabled?: boolean;
}) {
  const { sources, sheet, mapping, initial, missing, isTouched, isUncertain, isRemembered, isStale, change, confirm } =
    check;
  const box = useRef<HTMLDivElement>(null);
  // A field keeps its place when it gets a column.
  const isShown = ({ key, required, listed: always }: ColumnField) => required || always || initial[key] !== undefined;
  const more = fields.filter((field) => !isShown(field));
  const used = new Set(Object.values(mapping).map((chosen) => chosen?.source));
  const unfilled = missing.filter(({ key }) => !mapping[key]);
  const others = sources.filter(({ source }) => !used.has(source));
  const pairs = (some: readonly ColumnField[], label: string) => (
    <ul className="mapping" aria-label={label}>
      {some.map((field) => (
        <Pair
          key={field.key}
          field={field}
          example={exampleOf(field.key)}
          chosen={mapping[field.key]}
          sources={sources}
          isTouched={isTouched}
          disabled={disabled}
          onChange={(source) => change(field.key, source)}
          onText={(text) => check.changeText(field.key, text)}
        />
      ))}
    </ul>
  );
  return (
    <div className="stack" ref={box} tabIndex={-1}>
      {isRemembered && (
        <Note>
          {t('You have used a file with the same header row before: the columns are used as you chose them then.')}
        </Note>
      )}
      {pairs(fields.filter(isShown), t('Use of the columns'))}
      {unfilled.length > 0 && (
        <Note tone={isTouched ? 'danger' : undefined}>
          {t(
            sheet === ''
              ? 'No column for {missing}. The file has {count, plural, one {only the column} other {the columns}} {columns}. Choose one, or add it to the file and drop the file again.'
              : 'No column for {missing}. The sheet “{sheet}” has {count, plural, one {only the column} other {the columns}} {columns}. Choose one, or another sheet, or add it to the file and drop the file again.',
            {
              sheet,
              missing: listed(unfilled.map(({ label }) => label)),
              count: sources.length,
              columns: listed(sources.map(({ label }) => label)),
            },
          )}
        </Note>
      )}
      {more.length > 0 && (
        <details className="send-others">
          <summary>{t('Optional columns: {columns}', { columns: listed(more.map(({ label }) => label)) })}</summary>
          {pairs(more, t('Optional columns'))}
        </details>
      )}
      {others.length > 0 && <p className="hint">{unused(listed(others.map(({ label }) => label)))}</p>}
      {isStale && !isUncertain && (
        <div className="row">
          <Button icon="retry" disabled={disabled} onClick={check.checkAgain}>
            {t('Check the file with these columns')}
          </Button>
        </div>
      )}
      {isUncertain && missing.length === 0 && (
        <div className="mapping-confirm">
          <p>{t('The columns marked “Please check” are guesses. Confirm them, or choose others.')}</p>
          <Button
            icon="check"
            disabled={disabled}
            onClick={() => {
              // The button disappears.
              box.current?.focus();
              confirm();
            }}
          >
            {t('Use these columns')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** A field, where its contents come from, and its text. */
export function Pair({
  field: { label, required, place, takesText },
  sourceLabel,
  marks = true,
  example,
  chosen,
  sources,
  isTouched = false,
  disabled = false,
  onChange,
  onText,
}: {
  field: ColumnField;
  /** Of the choice; absent: of a column. */
  sourceLabel?: string;
  /** Says who chose. */
  marks?: boolean;
  example?: string | undefined;
  chosen: ColumnCheck<unknown>['mapping'][string];
  sources: readonly Pick<SourceChoice, 'source' | 'label'>[];
  isTouched?: boolean;
  disabled?: boolean;
  onChange: (source: string) => void;
  onText: (text: string) => void;
}) {
  const id = useId();
  const notFound = { text: t('Not found'), tone: isTouched ? 'danger' : 'plain' } as const;
  const mark = chosen ? LABELS[chosen.by] : required ? notFound : null;
  const isSame = chosen?.source === SAME_FOR_ALL;
  const none = { value: NOT_USED, label: required ? t('Choose a column') : t('Not used') };
  return (
    <li className="mapping-pair">
      <div className="mapping-field" id={id}>
        <strong dir="auto">{label}</strong>
        {example !== undefined && (
          <span className="hint">{rich(', e.g. {example}', { example: <bdi>{example}</bdi> })}</span>
        )}
        {place && (
          <p className="hint" dir="auto">
            {place}
          </p>
        )}
      </div>
      <span className="mapping-arrow">
        <Icon name="from" />
      </span>
      <Select
        label={sourceLabel ?? t('Column for {field}', { field: label })}
        hiddenLabel
        disabled={disabled}
        value={chosen?.source ?? NOT_USED}
        choices={[
          ...(required && chosen ? [] : [none]),
          ...(takesText ? [{ value: SAME_FOR_ALL, label: t('The same text for all') }] : []),
          ...sources.map(({ source, label: header }) => ({ value: source, label: header })),
        ]}
        onChange={onChange}
      />
      <span className="mapping-mark">{marks && mark && <Badge tone={mark.tone}>{mark.text}</Badge>}</span>
      {takesText && chosen && (
        <Input
          label={isSame ? t('Text for {value}', { value: label }) : t('Default for {value}', { value: label })}
          hiddenLabel
          placeholder={isSame ? t('Text for all') : t('If empty, use …')}
          value={chosen.text ?? ''}
          maxLength={1024}
          dir="auto"
          disabled={disabled}
          onChange={onText}
        />
      )}
    </li>
  );
}

/** Names in one line: all of them, as a person looks for one. */
function listed(names: readonly string[]): string {
  return new Intl.ListFormat(locale(), { type: 'conjunction' }).format(names);
}
