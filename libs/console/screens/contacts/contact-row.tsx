import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ContactDto } from '../../../client/generated/types.gen';
import { Badge } from '../../ui/badge';
import { PhoneNumber } from '../../ui/phone-number';

/** A list row that links to a contact; `children`: further actions. */
export function ContactRow({ contact, children }: { contact: ContactDto; children?: ReactNode }) {
  const { id, name, phone, username, userId, groups, optedOut } = contact;
  return (
    <div className="contact-row">
      <div className="contact-row-who">
        <Link to={`/contacts/${id}`} className="row-link">
          <bdi className="cut">{name ?? (phone ? <PhoneNumber value={phone} /> : (username ?? userId))}</bdi>
        </Link>
        {name && (phone ? <PhoneNumber value={phone} /> : <span className="hint cut">{username ?? userId}</span>)}
      </div>
      <span className="contact-row-groups hint cut" dir="auto">
        {groups.map((group) => group.name).join(', ')}
      </span>
      {optedOut && <Badge tone="warning">Opted out</Badge>}
      {children}
    </div>
  );
}
