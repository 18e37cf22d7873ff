import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listGroups } from '../../../client/generated/sdk.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { count } from '../../ui/format';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Pager } from '../../ui/pager';
import { Panel } from '../../ui/panel';
import { SearchField } from '../../ui/search-field';
import { Empty, Loaded } from '../../ui/states';
import { Table } from '../../ui/table';
import { AsOf, Time } from '../../ui/time';
import { NewGroup } from './group-form';

/** The contact groups of the account. */
export default function GroupsScreen() {
  const session = useSession();
  const [filters, setFilters] = useUrlFilters({ search: '', page: '1' });
  const [isAdding, setAdding] = useState(false);
  const groups = useQuery({
    queryKey: queryKeys.groups.list(filters),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const query = { page: Number(filters.page), pageSize: 25, ...(filters.search && { search: filters.search }) };
      return call(listGroups, { query }, { signal });
    },
  });
  const canManage = session.can('groups:manage');
  const add = (
    <Button variant="primary" icon="plus" onClick={() => setAdding(true)}>
      {t('New group')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('Groups')}
        lead={t('Lists of contacts that you can send to.')}
        asOf={<AsOf at={groups.dataUpdatedAt} />}
        actions={canManage && add}
      />
      <div className="filters">
        <SearchField
          label={t('Search groups')}
          placeholder={t('Group name')}
          value={filters.search}
          onChange={(search) => setFilters({ search })}
        />
      </div>
      <Panel title={filters.search ? t('Matching groups') : t('All groups')} flush>
        <Loaded query={groups}>
          {({ items, page, totalPages, totalCount }) =>
            items.length === 0 ? (
              filters.search ? (
                <Empty title={t('No matches')} icon="search" hint={t('Search by part of the name.')} />
              ) : (
                <Empty
                  title={t('No groups yet')}
                  icon="people"
                  hint={t('Create one, then add people or import a file.')}
                >
                  {canManage && add}
                </Empty>
              )
            ) : (
              <>
                <Table
                  label={t('Groups')}
                  rows={items}
                  rowKey={({ id }) => id}
                  columns={[
                    {
                      key: 'name',
                      head: t('Name'),
                      cell: ({ id, name, description }) => (
                        <>
                          <Link to={`/groups/${id}`} className="row-link">
                            <bdi>{name}</bdi>
                          </Link>
                          {description && (
                            <span className="cell-sub" dir="auto">
                              {description}
                            </span>
                          )}
                        </>
                      ),
                    },
                    {
                      key: 'contacts',
                      head: t('Contacts'),
                      align: 'end',
                      cell: ({ contactCount }) => count(contactCount),
                    },
                    {
                      key: 'created',
                      head: t('Created'),
                      align: 'end',
                      wideOnly: true,
                      cell: ({ createdAt }) => <Time at={createdAt} />,
                    },
                  ]}
                />
                <Pager
                  page={page}
                  totalPages={totalPages}
                  totalCount={totalCount}
                  onPage={(next) => setFilters({ page: String(next) })}
                />
              </>
            )
          }
        </Loaded>
      </Panel>
      {isAdding && <NewGroup onClose={() => setAdding(false)} />}
    </>
  );
}
