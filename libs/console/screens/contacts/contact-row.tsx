import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ContactDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { Badge } from '../../ui/badge';
import { PhoneNumber } from '../../ui/phone-number';

/** A list row that links to a contact; `children`: further actions; `groupId`: the group whose members are listed. */
export function ContactRow({
  contact,
  groupId,
  children,
}: {
  contact: ContactDto;
  groupId?: string;
  children?: ReactNode;
}) {
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
        {groups
          .filter(({ id: group }) => group !== groupId)
          .map((group) => group.name)
          .join(', ')}
      </span>
      <span className="contact-row-state">{optedOut && <Badge tone="warning">{t('Opted out')}</Badge>}</span>
      {children}
    </div>
  );
}

/** The heads of the columns of such rows; `groups`: that of the groups, `hasAction`: the rows end with a button. */
export function ContactHead({ groups, hasAction = false }: { groups: string; hasAction?: boolean }) {
  return (
    <div className="contact-row contact-head hint" aria-hidden="true">
      <span className="contact-row-who">{t('Contact')}</span>
      <span className="contact-row-attributes">{t('Contact fields')}</span>
      <span className="contact-row-groups">{groups}</span>
      <span className="contact-row-state" />
      {hasAction && <span className="icon-button" data-small />}
    </div>
  );
}
