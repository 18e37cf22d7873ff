import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { focusNextRowLink } from './row-link-focus';

/**
 * A virtual list: only visible rows are in the DOM. Calls `onEnd` when the last rows come into view, to load more. All rows have
 * the same height in pixels. `height`: maximum height in pixels, or `fill` for the parent's. `total`: total number of rows, -1 if
 * unknown. The arrow keys move between `row-link` elements. With `keyOf`, which identifies a row that moves, the list is one tab
 * stop: `row` passes `tabIndex` to its link. A change of `currentKey` scrolls to its row, which becomes that tab stop.
 */
export function VirtualList<R>({
  label,
  rows,
  rowHeight,
  height = 480,
  total,
  head,
  row,
  keyOf,
  currentKey = '',
  onEnd,
}: {
  label: string;
  rows: readonly R[];
  rowHeight: number;
  height?: number | 'fill';
  total?: number;
  head?: ReactNode;
  row: (row: R, index: number, tabIndex?: number) => ReactNode;
  keyOf?: (row: R) => string;
  currentKey?: string;
  onEnd?: () => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    ...(keyOf && { getItemKey: (index) => keyOf(rows[index]!) }),
  });
  const [focusedKey, setFocusedKey] = useState<string | null>(null);
  const [shownKey, setShownKey] = useState('');
  if (shownKey !== currentKey) {
    setShownKey(currentKey);
    if (currentKey !== '') setFocusedKey(currentKey);
  }
  const latest = useRef({ rows, keyOf });
  useEffect(() => {
    latest.current = { rows, keyOf };
  }, [rows, keyOf]);
  useEffect(() => {
    const { rows, keyOf } = latest.current;
    const index = currentKey === '' || !keyOf ? -1 : rows.findIndex((one) => keyOf(one) === currentKey);
    if (index !== -1) virtual.scrollToIndex(index);
  }, [currentKey, virtual]);
  const items = virtual.getVirtualItems();
  const stop =
    items.find(({ key }) => key === focusedKey) ?? items.find(({ start }) => start >= (virtual.scrollOffset ?? 0));
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= rows.length - 20) onEnd?.();
  }, [last, rows.length, onEnd]);
  return (
    <div className="virtual" data-fill={height === 'fill' || undefined}>
      {head}
      <div
        ref={scroller}
        className="virtual-scroller"
        role="list"
        aria-label={label}
        tabIndex={keyOf && rows.length > 0 ? -1 : 0}
        onKeyDown={focusNextRowLink}
        style={height === 'fill' ? undefined : { height: Math.min(height, Math.max(rows.length, 1) * rowHeight + 2) }}
      >
        <div className="virtual-space" style={{ height: virtual.getTotalSize() }} role="presentation">
          {items.map((item) => (
            <div
              key={item.key}
              role="listitem"
              aria-setsize={total ?? rows.length}
              aria-posinset={item.index + 1}
              className="virtual-row"
              style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              onFocus={keyOf && (() => setFocusedKey(String(item.key)))}
            >
              {row(rows[item.index]!, item.index, keyOf && (item === stop ? 0 : -1))}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
