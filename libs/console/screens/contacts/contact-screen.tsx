import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getContact, listConversationMessages, listConversations } from '../../../client/generated/sdk.gen';
import type { ContactDto, MessageDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { errorTitle } from '../../api/error-title';
import { queryKeys } from '../../api/query-keys';
import type { ScreenProps } from '../../app/screen-props';
import { StateBadge } from '../../app/state-badge';
import { useSession } from '../../app/session';
import { textOf } from '../../app/vocabulary';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { ButtonLink, Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Fact, Facts, Panel } from '../../ui/panel';
import { PhoneNumber, usePhoneText } from '../../ui/phone-number';
import { Empty, Loaded } from '../../ui/states';
import { Table } from '../../ui/table';
import { AsOf, Time } from '../../ui/time';
import { sortedFields, valuesOf } from './contact-fields';
import { ChangeContact } from './contact-form';
import { RemoveContact } from './remove-contact';
import { OptOutSwitch } from './opt-out-switch';

const MAX_TEXT = 120;

/** One contact: details, opt-out status and latest messages. */
export default function ContactScreen({ params }: ScreenProps) {
  const contactId = params.contactId ?? '';
  const contact = useQuery({
    queryKey: queryKeys.contacts.one(contactId),
    queryFn: ({ signal }) => call(getContact, { path: { contactId } }, { signal }),
  });
  if (contact.isError && asMessagingError(contact.error).code === 'contact_not_found') {
    return (
      <>
        <PageHeader title={t('Contact')} />
        <Empty title={t('Contact not found')} icon="people" hint={t('The contact was deleted or erased.')}>
          <ButtonLink to="/contacts">{t('All contacts')}</ButtonLink>
        </Empty>
      </>
    );
  }
  return contact.data ? (
    <Contact contact={contact.data} updatedAt={contact.dataUpdatedAt} />
  ) : (
    <>
      <PageHeader title={t('Contact')} />
      <Loaded query={contact}>{() => null}</Loaded>
    </>
  );
}

function Contact({ contact, updatedAt }: { contact: ContactDto; updatedAt: number }) {
  const session = useSession();
  const phoneText = usePhoneText();
  const [dialog, setDialog] = useState<'change' | 'remove' | null>(null);
  const { name, phone, userId, groups } = contact;
  const attributes = sortedFields(contact);
  const values = valuesOf(contact.parameters);
  const canManage = session.can('groups:manage');
  return (
    <>
      <PageHeader
        title={name ?? (phone ? phoneText(phone) : (userId ?? t('Contact')))}
        asOf={<AsOf at={updatedAt} />}
        actions={
          <>
            {canManage && (
              <>
                <Button onClick={() => setDialog('remove')}>{t('Delete or erase…')}</Button>
                <Button onClick={() => setDialog('change')}>{t('Edit')}</Button>
              </>
            )}
            {session.can('messaging:send') && phone && !contact.optedOut && (
              <ButtonLink to={`/send/one?to=${phone}`} variant="primary" icon="send">
                {t('Send a message')}
              </ButtonLink>
            )}
          </>
        }
      />
      <div className="columns">
        <Panel title={t('Details')}>
          <Facts>
            <Fact label={t('Phone number')}>{phone ? <PhoneNumber value={phone} /> : t('Hidden by the person')}</Fact>
            {userId && (
              <Fact label={t('WhatsApp user ID')}>
                <code>{userId}</code>
              </Fact>
            )}
            {contact.username && <Fact label={t('Username')}>{contact.username}</Fact>}
            <Fact label={t('Name')}>{name ?? t('Unknown', {}, 'name of a person')}</Fact>
            <Fact label={t('Groups')}>
              {groups.length === 0
                ? t('None', {}, 'groups')
                : groups.map((group, index) => (
                    <span key={group.id}>
                      {index > 0 && ', '}
                      <Link to={`/groups/${group.id}`}>{group.name}</Link>
                    </span>
                  ))}
            </Fact>
            {values.map((value, index) => (
              <Fact key={index} label={t('Value {number}', { number: index + 1 })}>
                {value || '–'}
              </Fact>
            ))}
          </Facts>
        </Panel>
        <div className="stack">
          {attributes.length > 0 && (
            <Panel title={t('Contact fields')}>
              <Facts>
                {attributes.map(([attribute, value]) => (
                  <Fact key={attribute} label={attribute}>
                    <bdi>{value}</bdi>
                  </Fact>
                ))}
              </Facts>
            </Panel>
          )}
          <Panel title={t('Opt-out')}>
            <OptOutSwitch contact={contact} />
          </Panel>
        </div>
      </div>
      {session.can('messaging:read') && phone && <LatestMessages phone={phone} />}
      {dialog === 'change' && <ChangeContact contact={contact} onClose={() => setDialog(null)} />}
      {dialog === 'remove' && <RemoveContact contact={contact} onClose={() => setDialog(null)} />}
    </>
  );
}

/** The latest messages in both directions. */
function LatestMessages({ phone }: { phone: string }) {
  const latest = useQuery({
    queryKey: queryKeys.messages.withPhone(phone),
    queryFn: async ({ signal }) => {
      const { items: found } = await call(listConversations, { query: { search: phone, limit: 1 } }, { signal });
      // Without a conversation of this number, the search finds longer numbers.
      const id = found.find(({ contactPhone }) => !contactPhone?.startsWith(phone) || contactPhone === phone)?.id;
      if (id === undefined) return { id, items: [] };
      const path = { conversationId: id };
      const { items } = await call(listConversationMessages, { path, query: { limit: 10 } }, { signal });
      return { id, items };
    },
  });
  return (
    <Panel
      title={t('Latest messages')}
      flush
      actions={
        latest.data?.id && (
          <ButtonLink to={`/conversations?id=${latest.data.id}`} icon="chat">
            {t('Open conversation')}
          </ButtonLink>
        )
      }
    >
      <Loaded query={latest}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('No messages yet')} icon="send" hint={t('Messages to and from this person appear here.')} />
          ) : (
            <>
              <Table
                label={t('Messages with this contact')}
                rows={items}
                rowKey={({ id }) => id}
                columns={[
                  { key: 'text', head: t('Message'), cell: (message) => <Text message={message} /> },
                  { key: 'status', head: t('Status'), cell: ({ status }) => <StateBadge state={status} /> },
                  { key: 'at', head: t('When'), align: 'end', cell: ({ createdAt }) => <Time at={createdAt} /> },
                ]}
              />
              <p className="panel-more">
                <Link to={`/messages?to=${phone}`}>{t('All messages sent to this number')}</Link>
              </p>
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Text({ message }: { message: MessageDto }) {
  const text = textOf(message);
  return (
    <>
      <Link to={`/messages/${message.id}`} className="row-link">
        <bdi>{text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text}</bdi>
      </Link>
      {message.error && <span className="cell-sub">{errorTitle(message.error.code)}</span>}
    </>
  );
}
