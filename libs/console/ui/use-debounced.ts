import { useEffect, useState } from 'react';

/** The value after it has not changed for `afterMs` milliseconds. Values are compared as JSON. */
export function useDebounced<T>(value: T, afterMs = 400): T {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return JSON.parse(settled) as T;
}
