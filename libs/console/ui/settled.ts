import { useEffect, useState } from 'react';

/** The value once it has not changed for a moment: what somebody types is asked about when they pause. Compared as JSON. */
export function useSettled<T>(value: T, afterMs = 400): T {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return JSON.parse(settled) as T;
}
