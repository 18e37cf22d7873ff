import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { goByArrow } from './row-links';

/**
 * A list of any length, of which only what is seen is there. `onEnd` is called when its last rows come into view, to load more.
 * Rows have one height, in pixels. `height`: of the list, at most, or `fill`: whatever there is around it. `total`: how many there
 * are in all, -1 where that is not known. The arrow keys go from one `row-link` to the next.
 */
export function VirtualList<R>({
  label,
  rows,
  rowHeight,
  height = 480,
  total,
  head,
  row,
  onEnd,
}: {
  label: string;
  rows: readonly R[];
  rowHeight: number;
  height?: number | 'fill';
  total?: number;
  head?: ReactNode;
  row: (row: R, index: number) => ReactNode;
  onEnd?: () => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
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
        tabIndex={0}
        onKeyDown={goByArrow}
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
            >
              {row(rows[item.index]!, item.index)}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
