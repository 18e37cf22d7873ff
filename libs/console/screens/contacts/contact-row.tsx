import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ContactDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { Badge } from '../../ui/badge';
import { PhoneNumber } from '../../ui/phone-number';

/** A list row that links to a contact; `children`: further actions. */
export function ContactRow({ contact, children }: { contact: ContactDto; children?: ReactNode }) {
  const { id, name, phone, username, userId, attributes, groups, optedOut } = contact;
  const ids = [username, userId].filter(Boolean).join(' · ');
  return (
    <div className="contact-row">
      <div className="contact-row-who">
        <Link to={`/contacts/${id}`} className="row-link">
          <bdi className="cut">{name ?? (phone ? <PhoneNumber value={phone} /> : ids)}</bdi>
        </Link>
        {name && (phone ? <PhoneNumber value={phone} /> : <span className="hint cut">{ids}</span>)}
      </div>
      <span className="contact-row-attributes hint cut" dir="auto">
        {Object.entries(attributes)
          .map(([attribute, value]) => `${attribute}: ${value}`)
          .join(', ')}
      </span>
      <span className="contact-row-groups hint cut" dir="auto">
        {groups.map((group) => group.name).join(', ')}
      </span>
      {optedOut && <Badge tone="warning">{t('Opted out')}</Badge>}
      {children}
    </div>
  );
}
