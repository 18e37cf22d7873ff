import { useState } from 'react';
import { setCharacterShortcuts, useCharacterShortcuts, useShortcut } from '../../app/shortcuts';
import { t } from '../../language/translate';
import { IconButton } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Switch } from '../../ui/switch';
import { isTouchOnly } from '../../ui/touch';

/** The keys of the inbox; `isCharacter`: with the switch below the list. */
const KEYS = [
  { key: 'J', label: t('Next conversation'), isCharacter: true },
  { key: 'K', label: t('Previous conversation'), isCharacter: true },
  { key: 'R', label: t('Write a reply'), isCharacter: true },
  { key: 'E', label: t('Mark as done, or open again'), isCharacter: true },
  { key: '?', label: t('This list'), isCharacter: true },
  { key: '/', label: t('Quick replies, at the start of a reply') },
  { key: t('Enter'), label: t('Send the reply') },
  { key: t('Shift Enter'), label: t('New line in the reply') },
  { key: t('Esc'), label: t('Leave the reply field') },
  { key: t('Ctrl K'), label: t('Search everything') },
];

/** The button that shows the keyboard shortcuts of the inbox. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false);
  const areOn = useCharacterShortcuts();
  const keys = useShortcut('?', () => setOpen(true));
  return (
    <>
      {!isTouchOnly() && (
        <IconButton
          icon="keyboard"
          label={t('Keyboard shortcuts')}
          aria-haspopup="dialog"
          aria-keyshortcuts={keys}
          onClick={() => setOpen(true)}
        />
      )}
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t('Keyboard shortcuts')}>
        <ul className="shortcuts" aria-label={t('Keyboard shortcuts')}>
          {KEYS.map(({ key, label, isCharacter }) => (
            <li key={key} data-off={(isCharacter && !areOn) || undefined}>
              {label} <kbd>{key}</kbd>
            </li>
          ))}
        </ul>
        <Switch
          label={t('Shortcuts of a single key')}
          hint={t('They work outside of text fields. Turn them off if you type by voice.')}
          checked={areOn}
          onChange={setCharacterShortcuts}
        />
      </Dialog>
    </>
  );
}
