import { useEffect, useState } from 'react';
import { IconButton } from './button';
import { t } from '../language/translate';

/** Copies a text to the clipboard and confirms with a check mark. */
export function CopyButton({ text, label = t('Copy') }: { text: string; label?: string }) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <IconButton
      small
      icon={done ? 'check' : 'copy'}
      label={done ? t('Copied') : label}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setDone(true))}
    />
  );
}
