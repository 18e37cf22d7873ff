import { useState } from 'react';
import type { RowErrorDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { count } from '../../ui/format';
import { Icon } from '../../ui/icon';
import { columnOfError, type Mapping, type SourceChoice } from './column-mapping';
import { RowProblem } from './row-problem';

const SHOWN_FIRST = 5;

/** Rows that cannot be used as in their spreadsheet, with the mistake marked in its cell. */
export function BadRows({
  errors,
  total,
  mapping,
  sources,
  hasCountry,
}: {
  errors: readonly RowErrorDto[];
  /** All bad rows of the file. */
  total: number;
  mapping: Mapping;
  sources: readonly SourceChoice[];
  /** The country of numbers without a country code was chosen. */
  hasCountry: boolean;
}) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? errors : errors.slice(0, SHOWN_FIRST);
  const width = Math.max(1, sources.length, ...shown.map(({ cells }) => cells?.length ?? 0));
  const places = Array.from({ length: width }, (_, index) => index);
  return (
    <div className="stack">
      <div className="sheet" role="region" aria-label={t('Bad rows, as in the file')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Row')}</th>
              {places.map((index) => (
                <th key={index} scope="col" dir="auto">
                  {sources[index]?.label ?? ''}
                </th>
              ))}
            </tr>
          </thead>
          {shown.map(({ rowNumber, field, code, message, cells = [] }) => {
            const wrong = columnOfError(field, mapping, sources);
            return (
              <tbody key={[rowNumber, field, code].join()}>
                <tr>
                  <th scope="row" rowSpan={2}>
                    {count(rowNumber)}
                  </th>
                  {places.map((index) => (
                    <td key={index} dir="auto" data-wrong={index === wrong || undefined}>
                      {index === wrong && (
                        <>
                          <Icon name="warning" size={14} />
                          <span className="visually-hidden">{t('Mistake:')} </span>
                        </>
                      )}
                      {cells[index] || (index === wrong ? <em>{t('empty')}</em> : '')}
                    </td>
                  ))}
                </tr>
                <tr>
                  <td colSpan={width} className="sheet-problem">
                    <span>
                      <RowProblem code={code} message={message} hasCountry={hasCountry} />
                    </span>
                  </td>
                </tr>
              </tbody>
            );
          })}
        </table>
      </div>
      {errors.length > SHOWN_FIRST && (
        <div className="row">
          <Button small onClick={() => setWhole(!isWhole)}>
            {isWhole ? t('Show fewer') : t('Show {count, number} rows', { count: errors.length })}
          </Button>
          {total > errors.length && (
            <span className="hint">
              {t('These are the first {shown, number} of {total, number} bad rows.', { shown: errors.length, total })}
            </span>
          )}
        </div>
      )}
    </div>
  );
}
