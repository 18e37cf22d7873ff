import { useState } from 'react';
import { t } from '../../language/translate';
import { fieldsText } from '../contacts/contact-fields';
import { useContactOf } from './conversation-queries';

/** The longest text that is always shown whole. */
const SHORT = 60;

/** The fields of the contact with this number in one line, which a button opens if they are long; nothing without fields. */
export function ContactFacts({ phone }: { phone: string }) {
  const { contact } = useContactOf(phone);
  const [isOpen, setOpen] = useState(false);
  const text = contact ? fieldsText(contact) : '';
  if (text === '') return null;
  return (
    <span className="thread-contact">
      <span className={isOpen ? undefined : 'cut'} dir="auto">
        {text}
      </span>
      {text.length > SHORT && (
        <button type="button" className="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('Less') : t('More details')}
        </button>
      )}
    </span>
  );
}
