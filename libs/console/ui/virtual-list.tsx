import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { usePrinting } from './printing';
import { focusNextRowLink } from './row-link-focus';
import { useRemainingHeight } from './use-remaining-height';

/**
 * A virtual list: only visible rows, and the one with the focus, are in the DOM. Calls `onEnd` when the last rows come into view, to load more. All rows have
 * the same height in pixels. `height`: that of the parent, else up to the lower edge of the screen. `total`: total number of rows, -1 if
 * unknown. The arrow keys, Home and End move between `row-link` elements. With `keyOf`, which identifies a row that moves, the list is one tab
 * stop: `row` passes `tabIndex` to its link. `currentKey` scrolls to its row, at first only unless `startsAtTop`, and on each change; the row becomes that tab stop. A removed row passes
 * the focus on to the one that follows.
 */
export function VirtualList<R>({
  label,
  rows,
  rowHeight,
  height,
  total,
  head,
  row,
  keyOf,
  currentKey = '',
  startsAtTop = false,
  onEnd,
}: {
  label: string;
  rows: readonly R[];
  rowHeight: number;
  height?: 'fill';
  total?: number;
  head?: ReactNode;
  row: (row: R, index: number, tabIndex?: number) => ReactNode;
  keyOf?: (row: R) => string;
  currentKey?: string;
  startsAtTop?: boolean;
  onEnd?: () => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const [focusedKey, setFocusedKey] = useState<string | null>(null);
  const [hasFocus, setHasFocus] = useState(false);
  const keyAt = (index: number) => (keyOf ? keyOf(rows[index]!) : String(index));
  const kept = useMemo(() => {
    if (!hasFocus) return -1;
    return keyOf ? rows.findIndex((one) => keyOf(one) === focusedKey) : Number(focusedKey ?? -1);
  }, [hasFocus, rows, keyOf, focusedKey]);
  const isPrinting = usePrinting();
  const remaining = useRemainingHeight(scroller);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: isPrinting ? rows.length : 12,
    rangeExtractor: useCallback(
      (range: Range) => {
        const shown = defaultRangeExtractor(range);
        if (kept < 0 || kept >= range.count || shown.includes(kept)) return shown;
        return [...shown, kept].sort((one, other) => one - other);
      },
      [kept],
    ),
    ...(keyOf && { getItemKey: (index) => keyOf(rows[index]!) }),
  });
  const [shownKey, setShownKey] = useState('');
  if (shownKey !== currentKey) {
    setShownKey(currentKey);
    if (currentKey !== '') setFocusedKey(currentKey);
  }
  const latest = useRef({ rows, keyOf });
  useEffect(() => {
    latest.current = { rows, keyOf };
  }, [rows, keyOf]);
  const scrolledKey = useRef(startsAtTop ? currentKey : null);
  useEffect(() => {
    if (scrolledKey.current === currentKey) return;
    scrolledKey.current = currentKey;
    const { rows, keyOf } = latest.current;
    const index = currentKey === '' || !keyOf ? -1 : rows.findIndex((one) => keyOf(one) === currentKey);
    if (index !== -1) virtual.scrollToIndex(index);
  }, [currentKey, virtual]);
  const isJumping = useRef(false);
  useLayoutEffect(() => {
    if (!isJumping.current) return;
    isJumping.current = false;
    scroller.current?.querySelector<HTMLElement>(`[data-index="${kept}"] .row-link`)?.focus();
  }, [kept]);
  const keptBefore = useRef(-1);
  useLayoutEffect(() => {
    const before = keptBefore.current;
    keptBefore.current = kept;
    if (!hasFocus || before === -1 || kept !== -1 || document.activeElement !== document.body) return;
    const next = Math.min(before, rows.length - 1);
    scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"] .row-link`)?.focus();
  }, [hasFocus, kept, rows]);
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const target = { Home: 0, End: rows.length - 1 }[event.key];
    if (target === undefined || !document.activeElement?.matches('.row-link')) return focusNextRowLink(event);
    event.preventDefault();
    isJumping.current = target !== kept;
    setFocusedKey(keyAt(target));
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    // A window in the background keeps the focus.
    if (![relatedTarget, document.activeElement].some((one) => currentTarget.contains(one))) setHasFocus(false);
  };
  const items = virtual.getVirtualItems();
  const stop =
    items.find(({ key }) => key === focusedKey) ?? items.find(({ start }) => start >= (virtual.scrollOffset ?? 0));
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= rows.length - 20 && !isPrinting) onEnd?.();
  }, [last, rows.length, onEnd, isPrinting]);
  return (
    <div className="virtual" data-fill={height === 'fill' || undefined}>
      {head}
      <div
        ref={scroller}
        className="virtual-scroller"
        role="list"
        aria-label={label}
        tabIndex={keyOf && rows.length > 0 ? -1 : 0}
        onKeyDown={onKey}
        onBlur={onBlur}
        style={
          height === 'fill' ? undefined : { height: Math.min(remaining, Math.max(rows.length, 1) * rowHeight + 2) }
        }
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
              data-index={item.index}
              onFocus={() => {
                setHasFocus(true);
                setFocusedKey(String(item.key));
              }}
            >
              {row(rows[item.index]!, item.index, keyOf && (item === stop ? 0 : -1))}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
