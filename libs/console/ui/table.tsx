import type { ReactNode } from 'react';
import { focusNextRowLink } from './row-link-focus';

/** One column of a table. */
export interface Column<R> {
  key: string;
  head: string;
  cell: (row: R) => ReactNode;
  /** Right-aligns numbers so that their digits line up. */
  align?: 'end';
  /** Hidden on narrow screens. */
  wideOnly?: boolean;
  /** Makes the header a sort button. */
  sort?: { direction: 'ascending' | 'descending' | 'none'; onSort: () => void };
}

/**
 * A dense table; `label` is its caption for screen readers. A `row-link` in a cell makes the whole row clickable; the arrow keys
 * move between such links.
 */
export function Table<R>({
  label,
  columns,
  rows,
  rowKey,
}: {
  label: string;
  columns: readonly Column<R>[];
  rows: readonly R[];
  rowKey: (row: R) => string;
}) {
  return (
    <div className="table-scroll">
      <table className="table" onKeyDown={focusNextRowLink}>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                data-align={column.align}
                data-wide-only={column.wideOnly || undefined}
                aria-sort={column.sort?.direction}
              >
                {column.sort ? (
                  <button type="button" className="sort" onClick={column.sort.onSort}>
                    {column.head}
                  </button>
                ) : (
                  column.head
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => (
                <td key={column.key} data-align={column.align} data-wide-only={column.wideOnly || undefined}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
