import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ContactDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { Badge } from '../../ui/badge';
import { CellLabel } from '../../ui/cell-label';
import { PhoneNumber } from '../../ui/phone-number';
import { fieldsText } from './contact-fields';

/** What the columns of a list of contacts show; absent: no row has anything to show there. */
export interface ContactColumns {
  /** The head of the contact fields. */
  fields?: string;
  /** The head of the groups. */
  groups?: string;
}

/** The columns of these contacts; `groups`: the head of that of the groups, `groupId`: the group whose members are listed. */
export function contactColumns(contacts: readonly ContactDto[], groups: string, groupId?: string): ContactColumns {
  return {
    ...(contacts.some((one) => fieldsText(one) !== '') && { fields: t('Contact fields') }),
    ...(contacts.some((one) => groupNames(one, groupId) !== '') && { groups }),
  };
}

/** A list row that links to a contact; `children`: further actions; `groupId`: the group whose members are listed. */
export function ContactRow({
  contact,
  columns,
  groupId,
  children,
}: {
  contact: ContactDto;
  columns: ContactColumns;
  groupId?: string;
  children?: ReactNode;
}) {
  const { id, name, phone, username, userId, optedOut } = contact;
  const ids = [username, userId].filter(Boolean).join(' · ');
  return (
    <div className="contact-row">
      <div className="contact-row-who">
        <Link to={`/contacts/${id}`} className="row-link">
          <bdi className="cut">{name ?? (phone ? <PhoneNumber value={phone} /> : ids)}</bdi>
        </Link>
        {name && (phone ? <PhoneNumber value={phone} /> : <span className="hint cut">{ids}</span>)}
      </div>
      <Cell className="contact-row-attributes hint cut" head={columns.fields} text={fieldsText(contact)} />
      <Cell className="contact-row-groups hint cut" head={columns.groups} text={groupNames(contact, groupId)} />
      <span className="contact-row-state">{optedOut && <Badge tone="warning">{t('Opted out')}</Badge>}</span>
      {children}
    </div>
  );
}

function Cell({ className, head, text }: { className: string; head?: string; text: string }) {
  if (head === undefined) return null;
  return (
    <span className={className} title={text || undefined}>
      {text !== '' && <CellLabel label={head} />}
      <bdi>{text}</bdi>
    </span>
  );
}

/** The heads of the columns of such rows; `hasAction`: the rows end with a button. */
export function ContactHead({ columns, hasAction = false }: { columns: ContactColumns; hasAction?: boolean }) {
  return (
    <div className="contact-row list-head" aria-hidden="true">
      <span className="contact-row-who">{t('Contact')}</span>
      {columns.fields && <span className="contact-row-attributes">{columns.fields}</span>}
      {columns.groups && <span className="contact-row-groups">{columns.groups}</span>}
      <span className="contact-row-state" />
      {hasAction && <span className="icon-button" data-small />}
    </div>
  );
}

function groupNames({ groups }: ContactDto, groupId?: string): string {
  return groups
    .filter(({ id }) => id !== groupId)
    .map(({ name }) => name)
    .join(', ');
}
