import { useEffect, useState } from 'react';

const LATE_MS = 5000;

/** Whether the component has been shown for that long, five seconds unless told otherwise. */
export function useLate(ms = LATE_MS): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isLate;
}
