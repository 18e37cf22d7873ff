import { type ReactNode, useEffect, useRef } from 'react';

const HEIGHT = '--sticky-bar';

/** The bar with the main action at the end of a form. It stays in sight, and the page scrolls so that it covers no focused field. */
export function StickyBar({ children }: { children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(([entry]) => {
      style.setProperty(HEIGHT, `${entry?.borderBoxSize[0]?.blockSize ?? 0}px`);
    });
    if (bar.current) observer.observe(bar.current);
    return () => {
      observer.disconnect();
      style.removeProperty(HEIGHT);
    };
  }, []);
  return (
    <div ref={bar} className="send-bar">
      {children}
    </div>
  );
}
