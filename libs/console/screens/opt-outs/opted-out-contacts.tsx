import { listContacts } from '../../../client/generated/sdk.gen';
import type { ContactDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useCursorList } from '../../app/cursor-list';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { CursorTable } from '../../ui/cursor-rows';
import { Link } from '../../ui/link';
import { PhoneNumber } from '../../ui/phone-number';
import { Time } from '../../ui/time';

/** The contacts who opted out of all messages and whose name or number contains the text. */
export function OptedOutContacts({
  search,
  canManage,
  onRemove,
}: {
  search: string;
  canManage: boolean;
  onRemove: (contact: ContactDto) => void;
}) {
  const list = useCursorList<ContactDto>({
    key: queryKeys.contacts.list({ search, shown: 'opted out' }),
    load: (cursor, signal) =>
      call(listContacts, { query: { cursor, limit: 100, search: search.replace(/^\+/, '') } }, { signal }),
    idOf: ({ id }) => id,
    orderOf: ({ id }) => id,
  });
  return (
    <CursorTable
      list={list}
      label={t('Opt-outs')}
      rowKey={({ id }) => id}
      keep={({ optedOut }) => optedOut}
      shown={(searched) =>
        t('{count, plural, one {# matching contact} other {# matching contacts}}, opted out or not', {
          count: searched,
        })
      }
      columns={[
        {
          key: 'who',
          head: t('Person'),
          cell: ({ id, name, phone, userId }) => (
            <>
              <Link to={`/contacts/${id}`} className="link">
                {name === null ? <Number phone={phone} userId={userId} /> : <bdi>{name}</bdi>}
              </Link>
              {name !== null && (
                <span className="cell-sub">
                  <Number phone={phone} userId={userId} />
                </span>
              )}
            </>
          ),
        },
        {
          key: 'since',
          head: t('Since'),
          wideOnly: true,
          cell: ({ optedOutAt }) => optedOutAt !== null && <Time at={optedOutAt} />,
        },
        ...(canManage
          ? [
              {
                key: 'return',
                head: t('Actions'),
                align: 'end' as const,
                cell: (contact: ContactDto) => (
                  <Button small onClick={() => onRemove(contact)}>
                    {t('Opt in')}
                    <span className="visually-hidden"> {contact.name ?? <Number {...contact} />}</span>
                  </Button>
                ),
              },
            ]
          : []),
      ]}
      empty={{ title: t('No matches'), hint: PARTLY_SEARCHED }}
    />
  );
}

/** Who is found by a part of a name or number. */
export const PARTLY_SEARCHED = t('Contacts are found by a part of their name or number, others by their whole number.');

function Number({ phone, userId }: Pick<ContactDto, 'phone' | 'userId'>) {
  return phone ? <PhoneNumber value={phone} /> : <code>{userId}</code>;
}
