import type { ComponentProps, ReactNode } from 'react';
import type { CursorList } from '../app/cursor-list';
import { Button } from './button';
import { MorePager } from './pager';
import { Empty, ErrorLine, ErrorState, Loading } from './states';
import { type Column, Table } from './table';
import { VirtualList } from './virtual-list';
import { t } from '../language/translate';

/** A virtual list over a cursor list, with its loading, empty and error states. */
export function CursorRows<T>({
  list,
  label,
  rowHeight,
  height,
  total = -1,
  counts = false,
  head,
  row,
  keyOf,
  currentKey,
  startsAtTop,
  empty,
}: {
  list: CursorList<T>;
  label: string;
  rowHeight: number;
  height?: 'fill';
  /** Total number of items, if known before all are loaded; -1: unknown. */
  total?: number;
  /** Says below the list how many items there are, as a Pager does. */
  counts?: boolean;
  head?: ReactNode;
  row: (item: T, index: number, tabIndex?: number) => ReactNode;
  /** See VirtualList. */
  keyOf?: (item: T) => string;
  /** See VirtualList. */
  currentKey?: string;
  /** See VirtualList. */
  startsAtTop?: boolean;
  empty: ComponentProps<typeof Empty>;
}) {
  return (
    <CursorStates list={list} empty={empty}>
      {(items) => (
        <>
          <VirtualList
            label={label}
            rows={items}
            rowHeight={rowHeight}
            height={height}
            total={list.isComplete ? items.length : total}
            head={head}
            row={row}
            keyOf={keyOf}
            currentKey={currentKey}
            startsAtTop={startsAtTop}
            onEnd={list.more}
          />
          {counts && <p className="pager hint">{totalText(items.length, list.isComplete ? items.length : total)}</p>}
        </>
      )}
    </CursorStates>
  );
}

function totalText(loaded: number, total: number): string {
  return total === -1
    ? t('{count, number} loaded, more follow as you scroll', { count: loaded })
    : t('{count, number} in total', { count: total });
}

/** The same as a table with a “load more” button. `shown` says how many rows are loaded; `keep`: filters the rows. */
export function CursorTable<T>({
  list,
  label,
  columns,
  rowKey,
  shown,
  keep = () => true,
  empty,
}: {
  list: CursorList<T>;
  label: string;
  columns: readonly Column<T>[];
  rowKey: (row: T) => string;
  shown: (loaded: number) => string;
  keep?: (row: T) => boolean;
  empty: ComponentProps<typeof Empty>;
}) {
  return (
    <CursorStates list={list} empty={empty}>
      {(items) => {
        const rows = items.filter(keep);
        return (
          <>
            {rows.length > 0 ? (
              <Table label={label} columns={columns} rows={rows} rowKey={rowKey} />
            ) : (
              <Empty icon="search" {...empty} />
            )}
            <MorePager
              shown={shown(items.length)}
              hasMore={!list.isComplete}
              busy={list.isLoadingMore}
              onMore={list.more}
            />
          </>
        );
      }}
    </CursorStates>
  );
}

function CursorStates<T>({
  list: { items, isComplete, error, retry },
  empty,
  children,
}: {
  list: CursorList<T>;
  empty: ComponentProps<typeof Empty>;
  children: (items: readonly T[]) => ReactNode;
}) {
  if (!items) return error ? <ErrorState error={error} onRetry={retry} /> : <Loading rows={8} />;
  if (items.length === 0 && isComplete) return <Empty icon="search" {...empty} />;
  return (
    <>
      {error && (
        <div className="rows-error">
          <ErrorLine error={error} />
          <Button small icon="retry" onClick={retry}>
            {t('Try again')}
          </Button>
        </div>
      )}
      {items.length === 0 && (
        <p className="hint rows-searching" role="status">
          {t('Still searching…')}
        </p>
      )}
      {children(items)}
    </>
  );
}
