import { type RefObject, useLayoutEffect, useState } from 'react';

/** Of a list on a low screen. */
const LEAST_PX = 320;
/** Below the panel, as of `.content`. */
const MARGIN_PX = 48;

/** The height from the top of an element to the lower edge of the screen, without what follows in its panel. */
export function useRemainingHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(LEAST_PX);
  useLayoutEffect(() => {
    const measure = () => {
      if (!element.current) return;
      const { top, bottom } = element.current.getBoundingClientRect();
      const panel = element.current.closest('.panel')?.getBoundingClientRect();
      const below = (panel?.bottom ?? bottom) - bottom + MARGIN_PX;
      setHeight(Math.max(LEAST_PX, Math.floor(window.innerHeight - (top + window.scrollY) - below)));
    };
    measure();
    // What is above the list may appear later.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
    };
  }, [element]);
  return height;
}
