import { useEffect, useRef, useState } from 'react';
import { Input } from './field';

/** Somebody who types is not asked for after each letter. */
const PAUSE_MS = 250;

/** A field that searches while somebody types, a moment after the last key. `value` is what is searched for now. */
export function SearchField({
  label,
  placeholder,
  value,
  onChange,
}: {
  label: string;
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
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <Input
      label={label}
      hiddenLabel
      type="search"
      placeholder={placeholder}
      value={typed ?? value}
      spellCheck={false}
      onChange={setTyped}
    />
  );
}
