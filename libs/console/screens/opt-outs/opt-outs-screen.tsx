import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addOptOut, listOptOuts, removeOptOut } from '../../../client/generated/sdk.gen';
import type { OptOutDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { isNational, withCallingCode } from '../../app/calling-codes';
import { CountryField } from '../../app/columns/country-field';
import { useDefaultCountry } from '../../app/columns/default-country';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
import { locale, rich, t } from '../../language/translate';
import { fieldErrorOf } from '../../app/field-problem';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Input } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { PageHeader } from '../../ui/page-header';
import { Pager } from '../../ui/pager';
import { Panel } from '../../ui/panel';
import { PhoneNumber } from '../../ui/phone-number';
import { Empty, Loaded } from '../../ui/states';
import { Table } from '../../ui/table';
import { AsOf, Time } from '../../ui/time';
import { showToast } from '../../ui/toast';
import { Keywords } from './keywords';

/** The label of each opt-out source. */
const SOURCES: Readonly<Record<OptOutDto['source'], string>> = {
  Api: t('Console or API'),
  Keyword: t('Keyword or button from the person'),
  Platform: t('Marketing turned off in WhatsApp'),
};

/** The opt-outs of the account. */
export default function OptOutsScreen() {
  const session = useSession();
  const [filters, setFilters] = useUrlFilters({ page: '1' });
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<OptOutDto | null>(null);
  const optOuts = useQuery({
    queryKey: queryKeys.optOuts.list(filters),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(listOptOuts, { query: { page: Number(filters.page), pageSize: 25 } }, { signal }),
  });
  const canManage = session.can('groups:manage');
  return (
    <>
      <PageHeader
        title={t('Opt-outs')}
        lead={t('People who do not want messages. Nothing is ever sent to them.')}
        asOf={<AsOf at={optOuts.dataUpdatedAt} />}
        actions={
          canManage && (
            <Button variant="primary" icon="plus" onClick={() => setAdding(true)}>
              {t('Add opt-out')}
            </Button>
          )
        }
      />
      <Panel title={t('Opted out')} flush>
        <Loaded query={optOuts}>
          {({ items, page, totalPages, totalCount }) =>
            items.length === 0 ? (
              <Empty
                title={t('No opt-outs')}
                icon="people"
                hint={t('People who send STOP appear here and receive no more messages.')}
              />
            ) : (
              <>
                <Table
                  label={t('Opt-outs')}
                  rows={items}
                  rowKey={({ phone, userId, scope }) => [phone ?? userId, scope].join(' ')}
                  columns={[
                    { key: 'who', head: t('Person'), cell: (one) => <Person optOut={one} /> },
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
                                <span className="visually-hidden"> {one.phone ?? one.userId}</span>
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
      </Panel>
      <Keywords canManage={canManage} />
      {isAdding && <AddOptOut onClose={() => setAdding(false)} />}
      {removing && <RemoveOptOut optOut={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}

function Person({ optOut: { phone, userId } }: { optOut: OptOutDto }) {
  return phone ? <PhoneNumber value={phone} /> : <code>{userId}</code>;
}

function AddOptOut({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [phone, setPhone] = useState('');
  const preset = useDefaultCountry();
  const [chosen, setChosen] = useState<string | null>(null);
  const country = chosen ?? preset.first;
  const number = withCallingCode(phone.trim(), country);
  const added = useMutation({
    mutationFn: () => call(addOptOut, { body: { phone: number } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.optOuts.all });
      void queries.invalidateQueries({ queryKey: queryKeys.contacts.all });
      showToast(t('Opt-out added'));
      onClose();
    },
  });
  const failure = added.isError ? asMessagingError(added.error) : null;
  const problem = fieldErrorOf(failure, 'phone');
  const phoneError =
    problem && isNational(number)
      ? t('Write it with its country code, such as 4915112345678, or choose the country of the numbers.')
      : problem;
  return (
    <FormDialog
      title={t('Add opt-out')}
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
      <Input
        label={t('Phone number')}
        type="tel"
        autoComplete="off"
        placeholder="+49 151 12345678"
        hint={
          number === phone.trim()
            ? country === ''
              ? t('Include the country code, such as +49.')
              : t('With its country code, such as +49, or without it for the country {country}.', {
                  country: new Intl.DisplayNames(locale(), { type: 'region' }).of(country)!,
                })
            : rich('Opts out {number}.', { number: <PhoneNumber value={number} /> })
        }
        error={phoneError}
        value={phone}
        onChange={setPhone}
      />
      {isNational(phone) && (
        <CountryField
          country={country}
          onChange={(next) => {
            setChosen(next);
            preset.remember(next);
          }}
        />
      )}
    </FormDialog>
  );
}

function RemoveOptOut({ optOut, onClose }: { optOut: OptOutDto; onClose: () => void }) {
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
      title={t('Remove this opt-out?')}
      lead={
        <>
          {rich(
            'Do this only if {person} has asked for it. They can then receive messages immediately, including marketing.',
            { person: <Person optOut={optOut} /> },
          )}
          {optOut.source === 'Platform' && <> {t('WhatsApp keeps rejecting marketing until they allow it there.')}</>}
        </>
      }
      cancel={t('Leave it')}
      action={t('Remove opt-out')}
      mutation={removed}
      onSubmit={() => removed.mutate()}
      onClose={onClose}
    />
  );
}
