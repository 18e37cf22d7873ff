import { type DragEvent, useId, useRef, useState } from 'react';
import { Button } from './button';
import { bytes } from './format';
import { Icon } from './icon';
import { t } from '../language/translate';

/** Accepts one file by drop or file dialog. `accept` filters the file dialog only; the file is not validated. */
export function FileDrop({
  label,
  hint,
  accept,
  file,
  onFile,
  disabled = false,
}: {
  label: string;
  hint?: string;
  accept: string;
  file: File | null;
  onFile: (file: File | null) => void;
  disabled?: boolean;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer.files.item(0);
    if (dropped && !disabled) onFile(dropped);
  };
  return (
    <div
      className="file-drop"
      data-over={over || undefined}
      data-filled={file !== null || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        id={id}
        type="file"
        className="visually-hidden"
        accept={accept}
        disabled={disabled}
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => {
          onFile(event.target.files?.item(0) ?? null);
          // Allow choosing the same file again after it was corrected.
          event.target.value = '';
        }}
      />
      {file ? (
        <>
          <span className="file-drop-name" dir="auto">
            {file.name}
          </span>
          <span className="hint">{bytes(file.size)}</span>
          <Button small disabled={disabled} onClick={() => input.current?.click()}>
            {t('Choose another file')}
          </Button>
        </>
      ) : (
        <>
          <Icon name="upload" size={24} />
          <p>
            <strong>{label}</strong>
          </p>
          {hint && <p className="hint">{hint}</p>}
          <Button disabled={disabled} onClick={() => input.current?.click()}>
            {t('Choose a file')}
          </Button>
        </>
      )}
    </div>
  );
}
