import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addOptOut, listOptOuts, removeOptOut } from '../../../client/generated/sdk.gen';
import type { OptOutDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
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
import { sayDone } from '../../ui/toast';
import { Keywords } from './keywords';

/** How an opt-out came about, in plain words. */
const SOURCES: Readonly<Record<OptOutDto['source'], string>> = {
  Api: 'Noted here or through the API',
  Keyword: 'The person wrote a word such as STOP, or pressed such a button',
  Platform: 'The person stopped marketing on WhatsApp',
};

/** Who wants no messages, why, and since when. */
export default function OptOutsScreen() {
  const session = useSession();
  const [filters, setFilters] = useUrlFilters({ page: '1' });
  const [isAdding, setAdding] = useState(false);
  const [returning, setReturning] = useState<OptOutDto | null>(null);
  const optOuts = useQuery({
    queryKey: ['opt-outs', filters],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(listOptOuts, { query: { page: Number(filters.page), pageSize: 25 } }, { signal }),
  });
  const mayManage = session.can('groups:manage');
  return (
    <>
      <PageHeader
        title="Opt-outs"
        lead="People who want no messages. Nothing is sent to them, whatever you do."
        asOf={<AsOf at={optOuts.dataUpdatedAt} />}
        actions={
          mayManage && (
            <Button variant="primary" icon="plus" onClick={() => setAdding(true)}>
              Opt somebody out
            </Button>
          )
        }
      />
      <Panel title="Who is out" flush>
        <Loaded query={optOuts}>
          {({ items, page, totalPages, totalCount }) =>
            items.length === 0 ? (
              <Empty
                title="Nobody has opted out"
                icon="people"
                hint="Whoever writes STOP stands here at once, and is left out of everything."
              />
            ) : (
              <>
                <Table
                  label="Opt-outs"
                  rows={items}
                  rowKey={({ phone, userId, scope }) => `${phone ?? userId} ${scope}`}
                  columns={[
                    { key: 'who', head: 'Who', cell: (one) => <Who optOut={one} /> },
                    {
                      key: 'scope',
                      head: 'Wants no',
                      cell: ({ scope }) => (
                        <Badge tone={scope === 'All' ? 'warning' : 'plain'}>
                          {scope === 'All' ? 'Messages' : 'Marketing'}
                        </Badge>
                      ),
                    },
                    { key: 'source', head: 'How it came about', wideOnly: true, cell: ({ source }) => SOURCES[source] },
                    { key: 'since', head: 'Since', wideOnly: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
                    ...(mayManage
                      ? [
                          {
                            key: 'return',
                            head: 'Change',
                            align: 'end' as const,
                            cell: (one: OptOutDto) => (
                              <Button small onClick={() => setReturning(one)}>
                                Take back<span className="visually-hidden"> of {one.phone ?? one.userId}</span>
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
                  onPage={(next) => setFilters({ page: String(next) })}
                />
              </>
            )
          }
        </Loaded>
      </Panel>
      <Keywords mayManage={mayManage} />
      {isAdding && <Add onClose={() => setAdding(false)} />}
      {returning && <TakeBack optOut={returning} onClose={() => setReturning(null)} />}
    </>
  );
}

function Who({ optOut: { phone, userId } }: { optOut: OptOutDto }) {
  return phone ? <PhoneNumber value={phone} /> : <code>{userId}</code>;
}

function Add({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [phone, setPhone] = useState('');
  const added = useMutation({
    mutationFn: () => call(addOptOut, { body: { phone: phone.trim() } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['opt-outs'] });
      void queries.invalidateQueries({ queryKey: ['contacts'] });
      sayDone('Nothing is sent to this number any more');
      onClose();
    },
  });
  const refused = added.isError ? asMessagingError(added.error) : null;
  const ofPhone = refused?.errors.find(({ field }) => field === 'phone')?.message;
  return (
    <FormDialog
      title="Opt somebody out"
      lead="From now on nothing is sent to this number: single messages are refused, and jobs that run skip it. No contact is needed."
      action="Opt out"
      disabled={phone.trim() === ''}
      work={added}
      error={ofPhone ? null : refused}
      onSubmit={() => added.mutate()}
      onClose={onClose}
    >
      <Input
        label="Phone number"
        type="tel"
        autoComplete="off"
        placeholder="+49 151 12345678"
        hint="With the country code, such as +49."
        error={ofPhone}
        value={phone}
        onChange={setPhone}
      />
    </FormDialog>
  );
}

function TakeBack({ optOut, onClose }: { optOut: OptOutDto; onClose: () => void }) {
  const queries = useQueryClient();
  const person = optOut.phone ?? optOut.userId ?? '';
  const removed = useMutation({
    mutationFn: () => call(removeOptOut, { path: { phone: person } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['opt-outs'] });
      void queries.invalidateQueries({ queryKey: ['contacts'] });
      sayDone('They can be written to again');
      onClose();
    },
  });
  return (
    <FormDialog
      title="Take this opt-out back?"
      lead={
        <>
          Do so only if <Who optOut={optOut} /> has asked for it. They can be written to again at once, marketing
          included.
          {optOut.source === 'Platform' && ' WhatsApp goes on refusing marketing until they allow it there.'}
        </>
      }
      cancel="Leave it"
      action="They asked for it: take it back"
      work={removed}
      onSubmit={() => removed.mutate()}
      onClose={onClose}
    />
  );
}
