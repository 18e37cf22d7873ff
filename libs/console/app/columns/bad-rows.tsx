import { useState } from 'react';
import type { RowErrorDto } from '../../../client/generated/types.gen';
import { Button } from '../../ui/button';
import { count } from '../../ui/format';
import { Icon } from '../../ui/icon';
import { columnOfError, type Mapping, type SourceChoice } from './column-mapping';

const SHOWN_FIRST = 5;

/** Rows that cannot be used as in their spreadsheet, with the mistake marked in its cell. */
export function BadRows({
  errors,
  total,
  mapping,
  sources,
}: {
  errors: readonly RowErrorDto[];
  /** All bad rows of the file. */
  total: number;
  mapping: Mapping;
  sources: readonly SourceChoice[];
}) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? errors : errors.slice(0, SHOWN_FIRST);
  const width = Math.max(1, sources.length, ...shown.map(({ cells }) => cells?.length ?? 0));
  const places = Array.from({ length: width }, (_, index) => index);
  return (
    <div className="stack">
      <div className="sheet" role="region" aria-label="Bad rows, as in the file" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Row</th>
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
              <tbody key={`${rowNumber} ${field} ${code}`}>
                <tr>
                  <th scope="row" rowSpan={2}>
                    {count(rowNumber)}
                  </th>
                  {places.map((index) => (
                    <td key={index} dir="auto" data-wrong={index === wrong || undefined}>
                      {index === wrong && (
                        <>
                          <Icon name="warning" size={14} />
                          <span className="visually-hidden">Mistake: </span>
                        </>
                      )}
                      {cells[index] || (index === wrong ? <em>empty</em> : '')}
                    </td>
                  ))}
                </tr>
                <tr>
                  <td colSpan={width} className="sheet-problem">
                    <span>{message}</span>
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
            {isWhole ? 'Show fewer' : `Show ${count(errors.length)} rows`}
          </Button>
          {total > errors.length && (
            <span className="hint">
              These are the first {count(errors.length)} of {count(total)} bad rows.
            </span>
          )}
        </div>
      )}
    </div>
  );
}
