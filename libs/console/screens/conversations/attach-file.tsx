import { type ChangeEvent, useRef } from 'react';
import { t } from '../../language/translate';
import { IconButton } from '../../ui/button';
import { bytes } from '../../ui/format';
import { useObjectUrl } from '../../ui/object-url';
import { ACCEPTED, LIMITS } from './attachment';

/** The button that chooses the file of a reply. */
export function AttachButton({ onFile, disabled }: { onFile: (file: File) => void; disabled: boolean }) {
  const chooser = useRef<HTMLInputElement>(null);
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = event.target.files ?? [];
    if (chosen) onFile(chosen);
    // Allow choosing the same file again.
    event.target.value = '';
  };
  return (
    <>
      <input
        ref={chooser}
        type="file"
        accept={ACCEPTED}
        hidden
        tabIndex={-1}
        aria-label={t('Attachment')}
        disabled={disabled}
        onChange={choose}
      />
      <IconButton
        icon="plus"
        label={t('Attach a file. {limits}', { limits: LIMITS })}
        disabled={disabled}
        onClick={() => chooser.current?.click()}
      />
    </>
  );
}

/** The file of a reply, why it cannot be sent, and a button that removes it. */
export function AttachmentPreview({
  file,
  problem,
  hasNoText,
  onRemove,
}: {
  file: File;
  problem: string | null;
  hasNoText: boolean;
  onRemove: () => void;
}) {
  const url = useObjectUrl(/^image\/(jpeg|png|webp)$/.test(file.type) ? file : undefined);
  return (
    <div className="attached">
      {url && <img src={url} alt="" />}
      <div className="attached-words">
        <strong dir="auto" className="cut">
          {file.name}
        </strong>
        <span className="hint">
          {hasNoText ? t('{size}. Cannot have a caption.', { size: bytes(file.size) }) : bytes(file.size)}
        </span>
        {problem && (
          <span className="field-error" role="alert">
            {problem}
          </span>
        )}
      </div>
      <IconButton small icon="close" label={t('Remove file')} onClick={onRemove} />
    </div>
  );
}
