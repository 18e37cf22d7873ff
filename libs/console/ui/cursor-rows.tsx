import type { ReactNode } from 'react';
import type { CursorList } from '../app/cursor-list';
import { Button } from './button';
import type { IconName } from './icon';
import { Empty, ErrorLine, ErrorState, Loading } from './states';
import { VirtualList } from './virtual-list';

/** The rows of a list that is read range by range: loading, empty, broken off, and as many as have been read. */
export function CursorRows<T>({
  list,
  label,
  rowHeight,
  height,
  total = -1,
  head,
  row,
  empty,
}: {
  list: CursorList<T>;
  label: string;
  rowHeight: number;
  height?: number | 'fill';
  /** How many there are in all, where that is known before they have been read. */
  total?: number;
  head?: ReactNode;
  row: (item: T, index: number) => ReactNode;
  empty: { title: string; hint: ReactNode; icon?: IconName; next?: ReactNode };
}) {
  const { items, isWhole, error } = list;
  if (!items) return error ? <ErrorState error={error} onRetry={list.retry} /> : <Loading rows={8} />;
  if (items.length === 0 && isWhole) {
    return (
      <Empty title={empty.title} hint={empty.hint} icon={empty.icon ?? 'search'}>
        {empty.next}
      </Empty>
    );
  }
  return (
    <>
      {error && (
        <div className="rows-broken">
          <ErrorLine error={error} />
          <Button small icon="retry" onClick={list.retry}>
            Try again
          </Button>
        </div>
      )}
      {items.length === 0 && (
        <p className="hint rows-searching" role="status">
          Still searching…
        </p>
      )}
      <VirtualList
        label={label}
        rows={items}
        rowHeight={rowHeight}
        height={height}
        total={isWhole ? items.length : total}
        head={head}
        row={row}
        onEnd={list.more}
      />
    </>
  );
}
