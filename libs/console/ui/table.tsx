import type { ReactNode } from 'react';
import { goByArrow } from './row-links';

/** One column of a table. */
export interface Column<R> {
  key: string;
  head: string;
  cell: (row: R) => ReactNode;
  /** Numbers stand at the end, so that their digits are below each other. */
  align?: 'end';
  /** Left out where the screen is narrow. */
  wideOnly?: boolean;
  /** The head sorts: how, and what it asks for. */
  sort?: { direction: 'ascending' | 'descending' | 'none'; onSort: () => void };
}

/**
 * A dense table. `label` names it for screen readers. A link of class `row-link` in a cell makes its whole row lead there; the
 * arrow keys go from one such link to the next.
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
      <table className="table" onKeyDown={goByArrow}>
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
