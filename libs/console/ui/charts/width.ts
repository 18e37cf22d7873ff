import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The current width of an element in pixels. Charts are drawn at their actual size, so texts are not scaled. */
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
