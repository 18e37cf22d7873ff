import { useEffect, useState } from 'react';

const LATE_MS = 5000;

/** Whether the component has been shown for five seconds. */
export function useLate(): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}
