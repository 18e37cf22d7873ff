import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addOptOut, listOptOuts, removeOptOut } from '../../../client/generated/sdk.gen';
import type { OptOutDto } from '../../../client/generated/types.gen';
import { phoneDigits } from '../../../client/phone-digits';
import { asMessagingError, call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { withCallingCode } from '../../app/calling-codes';
import { useNumberCountry } from '../../app/columns/default-country';
import { PhoneField, SearchedPhoneNote, useSearchedPhone } from '../../app/phone-field';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
import { rich, t } from '../../language/translate';
import { fieldErrorOf } from '../../app/field-problem';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { FormDialog } from '../../ui/form-dialog';
import { PageHeader } from '../../ui/page-header';
import { Pager } from '../../ui/pager';
import { Panel } from '../../ui/panel';
import { PhoneNumber } from '../../ui/phone-number';
import { SearchField } from '../../ui/search-field';
import { Empty, Loaded } from '../../ui/states';
import { Table } from '../../ui/table';
import { AsOf, Time } from '../../ui/time';
import { showToast } from '../../ui/toast';
import { ImportOptOuts } from './import-opt-outs';
import { Keywords } from './keywords';
import { OptedOutContacts, PARTLY_SEARCHED } from './opted-out-contacts';

/** The label of each opt-out source. */
const SOURCES: Readonly<Record<OptOutDto['source'], string>> = {
  Api: t('Console or API'),
  Keyword: t('Keyword or button from the person'),
  Platform: t('Marketing turned off in WhatsApp'),
};

/** An opt-out, or a contact whose opt-out has an unknown source. */
type Removed = Pick<OptOutDto, 'phone' | 'userId'> & Partial<Pick<OptOutDto, 'source'>>;

const USER_ID = /^[A-Z]{2}\.\w/;

/** The opt-outs of the account. */
export default function OptOutsScreen() {
  const session = useSession();
  const [filters, setFilters] = useUrlFilters({ page: '1', person: '' });
  const [isAdding, setAdding] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const [removing, setRemoving] = useState<Removed | null>(null);
  const isUserId = USER_ID.test(filters.person);
  const searched = useSearchedPhone(isUserId ? '' : filters.person);
  const person = isUserId ? filters.person : searched.number;
  const isSearch = filters.person !== '';
  const optOuts = useQuery({
    queryKey: queryKeys.optOuts.list({ page: filters.page, person: person ?? '' }),
    placeholderData: keepPreviousData,
    enabled: !isSearch || person !== null,
    queryFn: ({ signal }) => {
      const query = {
        page: Number(filters.page),
        pageSize: 25,
        names: 'true' as const,
        ...(isSearch && person !== null && { person }),
      };
      return call(listOptOuts, { query }, { signal });
    },
  });
  const canManage = session.can('groups:manage');
  return (
    <>
      <PageHeader
        title={t('Opt-outs')}
        lead={t('People who want no messages, or no advertising. What they ask later can be answered.')}
        asOf={<AsOf at={optOuts.dataUpdatedAt} />}
        actions={
          canManage && (
            <>
              <Button icon="upload" onClick={() => setImporting(true)}>
                {t('Import file')}
              </Button>
              <Button variant="primary" icon="plus" onClick={() => setAdding(true)}>
                {t('Opt out a number')}
              </Button>
            </>
          )
        }
      />
      <div className="filters">
        <SearchField
          label={t('Search opt-outs')}
          placeholder={t('Name or number')}
          value={filters.person}
          onChange={(text) => setFilters({ person: text })}
        />
      </div>
      {!isUserId && <SearchedPhoneNote searched={searched} incomplete={PARTLY_SEARCHED} />}
      <Panel
        title={isSearch ? (person === null ? t('Opted-out contacts') : t('Opt-outs of this number')) : t('Opted out')}
        flush
      >
        {isSearch && person === null ? (
          <OptedOutContacts search={filters.person} canManage={canManage} onRemove={setRemoving} />
        ) : (
          <Loaded query={optOuts}>
            {({ items, page, totalPages, totalCount }) =>
              items.length === 0 ? (
                <NoOptOuts person={isSearch ? person : null} />
              ) : (
                <>
                  <Table
                    label={t('Opt-outs')}
                    rows={items}
                    rowKey={({ phone, userId, scope }) => [phone ?? userId, scope].join(' ')}
                    columns={[
                      { key: 'who', head: t('Person'), cell: (one) => <NamedPerson optOut={one} /> },
                      {
                        key: 'scope',
                        head: t('Opted out of'),
                        cell: ({ scope }) => (
                          <Badge tone={scope === 'All' ? 'warning' : 'plain'}>
                            {scope === 'All' ? t('All messages', {}, 'opted out of') : t('Marketing')}
                          </Badge>
                        ),
                      },
                      { key: 'source', head: t('Source'), wideOnly: true, cell: ({ source }) => SOURCES[source] },
                      {
                        key: 'since',
                        head: t('Since'),
                        wideOnly: true,
                        cell: ({ createdAt }) => <Time at={createdAt} />,
                      },
                      ...(canManage
                        ? [
                            {
                              key: 'return',
                              head: t('Actions'),
                              align: 'end' as const,
                              cell: (one: OptOutDto) => (
                                <Button small onClick={() => setRemoving(one)}>
                                  {t('Opt in')}
                                  <span className="visually-hidden"> {one.contactName ?? <Person optOut={one} />}</span>
                                </Button>
                              ),
                            },
                          ]
                        : []),
                    ]}
                  />
                  <Pager
                    page={page}
                    totalPages={totalPages}
                    totalCount={totalCount}
                    bounded
                    onPage={(next) => setFilters({ page: String(next) })}
                  />
                </>
              )
            }
          </Loaded>
        )}
      </Panel>
      <Keywords canManage={canManage} />
      {isImporting && <ImportOptOuts onClose={() => setImporting(false)} />}
      {isAdding && <AddOptOut onClose={() => setAdding(false)} />}
      {removing && <RemoveOptOut optOut={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}

/** `person`: who was searched for; null: anyone. */
function NoOptOuts({ person }: { person: string | null }) {
  return person === null ? (
    <Empty
      title={t('No opt-outs')}
      icon="people"
      hint={t('People who send STOP appear here and receive no more messages.')}
    />
  ) : (
    <Empty
      title={t('No opt-out')}
      icon="search"
      hint={rich('{number} has not opted out. Numbers are searched with their country code.', {
        number: <PhoneNumber value={phoneDigits(person) ?? person} />,
      })}
    />
  );
}

function NamedPerson({ optOut }: { optOut: OptOutDto }) {
  if (!optOut.contactName) return <Person optOut={optOut} />;
  return (
    <>
      <bdi>{optOut.contactName}</bdi>
      <span className="cell-sub">
        <Person optOut={optOut} />
      </span>
    </>
  );
}

function Person({ optOut: { phone, userId } }: { optOut: Removed }) {
  return phone ? <PhoneNumber value={phone} /> : <code>{userId}</code>;
}

function AddOptOut({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [phone, setPhone] = useState('');
  const home = useNumberCountry();
  const number = withCallingCode(phone.trim(), home.country);
  const added = useMutation({
    mutationFn: () => call(addOptOut, { body: { phone: number } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.optOuts.all });
      void queries.invalidateQueries({ queryKey: queryKeys.contacts.all });
      showToast(t('Opted out'));
      onClose();
    },
  });
  const failure = added.isError ? asMessagingError(added.error) : null;
  const phoneError = fieldErrorOf(failure, 'phone');
  return (
    <FormDialog
      title={t('Opt out a number')}
      lead={t(
        'Nothing will be sent to this number: single messages are rejected, and running jobs skip it. The number need not be a contact.',
      )}
      action={t('Opt out')}
      disabled={phone.trim() === ''}
      mutation={added}
      error={phoneError ? null : failure}
      onSubmit={() => added.mutate()}
      onClose={onClose}
    >
      <PhoneField value={phone} home={home} error={phoneError} onChange={setPhone} />
    </FormDialog>
  );
}

function RemoveOptOut({ optOut, onClose }: { optOut: Removed; onClose: () => void }) {
  const queries = useQueryClient();
  const person = optOut.phone ?? optOut.userId ?? '';
  const removed = useMutation({
    mutationFn: () => call(removeOptOut, { path: { phone: person } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.optOuts.all });
      void queries.invalidateQueries({ queryKey: queryKeys.contacts.all });
      showToast(t('Opted in again'));
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('Opt this person back in?')}
      lead={
        <>
          {rich(
            'Do this only if {person} has asked for it. They can then receive messages immediately, including marketing.',
            { person: <Person optOut={optOut} /> },
          )}
          {optOut.source === 'Platform' && <> {t('WhatsApp keeps rejecting marketing until they allow it there.')}</>}
        </>
      }
      cancel={t('Cancel')}
      action={t('Opt in')}
      mutation={removed}
      onSubmit={() => removed.mutate()}
      onClose={onClose}
    />
  );
}
