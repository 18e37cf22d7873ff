import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** How wide an element is, in pixels, as it changes: charts are drawn in the pixels that they have, so that texts keep their size. */
export function useWidth<E extends HTMLElement>(): [RefObject<E | null>, number] {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const found = element.current;
    if (!found) return;
    const observer = new ResizeObserver(() => setWidth(found.clientWidth));
    observer.observe(found);
    setWidth(found.clientWidth);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
