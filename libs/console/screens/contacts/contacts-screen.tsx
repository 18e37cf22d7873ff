import { useState } from 'react';
import { listContacts } from '../../../client/generated/sdk.gen';
import type { ContactDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useCursorList } from '../../app/cursor-list';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { CursorRows } from '../../ui/cursor-rows';
import { PageHeader } from '../../ui/page-header';
import { Panel } from '../../ui/panel';
import { SearchField } from '../../ui/search-field';
import { AsOf } from '../../ui/time';
import { ContactHead, contactColumns, ContactRow } from './contact-row';
import { ImportContacts } from '../groups/import-contacts';
import { NewContact } from './contact-form';

/** All contacts of the account. */
export default function ContactsScreen() {
  const session = useSession();
  const [filters, setFilters] = useUrlFilters({ search: '' });
  const [isAdding, setAdding] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const list = useCursorList<ContactDto>({
    key: queryKeys.contacts.list(filters),
    load: (cursor, signal) => {
      const search = filters.search.replace(/^\+/, '');
      return call(listContacts, { query: { cursor, limit: 100, ...(search && { search }) } }, { signal });
    },
    idOf: ({ id }) => id,
    orderOf: ({ id }) => id,
  });
  const columns = contactColumns(list.items ?? [], t('Groups'));
  const canManage = session.can('groups:manage');
  const add = (
    <>
      <Button icon="upload" onClick={() => setImporting(true)}>
        {t('Import contacts')}
      </Button>
      <Button variant="primary" icon="plus" onClick={() => setAdding(true)}>
        {t('Add contact')}
      </Button>
    </>
  );
  return (
    <>
      <PageHeader
        title={t('Contacts')}
        lead={t('People you message and people who have messaged you.')}
        asOf={<AsOf at={list.updatedAt} />}
        actions={canManage && add}
      />
      <div className="filters">
        <SearchField
          label={t('Search contacts')}
          placeholder={t('Name or number')}
          value={filters.search}
          onChange={(search) => setFilters({ search })}
        />
      </div>
      <Panel title={filters.search ? t('Matching contacts') : t('All contacts, newest first')} flush>
        <CursorRows
          list={list}
          label={t('Contacts')}
          rowHeight={60}
          counts
          head={<ContactHead columns={columns} />}
          row={(contact) => <ContactRow contact={contact} columns={columns} />}
          empty={
            filters.search
              ? {
                  title: t('No matches'),
                  hint: t('Search by part of a name, or by the start or the last 4 digits of a number.'),
                }
              : {
                  title: t('No contacts yet'),
                  icon: 'people',
                  hint: canManage
                    ? t('Add contacts one by one, or import a file.')
                    : t('People who message you are added automatically.'),
                  children: canManage && add,
                }
          }
        />
      </Panel>
      {isAdding && <NewContact onClose={() => setAdding(false)} />}
      {isImporting && <ImportContacts onClose={() => setImporting(false)} />}
    </>
  );
}
