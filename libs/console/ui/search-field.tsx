import { useEffect, useRef, useState } from 'react';
import { Input } from './field';

/** Debounce between the last key and the search. */
const DEBOUNCE_MS = 250;

/** A debounced search field. `value` is the current search text. */
export function SearchField({
  label,
  placeholder,
  hiddenLabel = true,
  value,
  onChange,
}: {
  label: string;
  /** False beside fields with visible labels. */
  hiddenLabel?: boolean;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  }, [onChange]);
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(() => {
      latest.current(typed.trim());
      setTyped(null);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <Input
      label={label}
      hiddenLabel={hiddenLabel}
      type="search"
      placeholder={placeholder}
      value={typed ?? value}
      spellCheck={false}
      onChange={setTyped}
    />
  );
}
