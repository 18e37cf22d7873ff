import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listAccountApiKeys } from '../../../client/generated/sdk.gen';
import type { ApiKeyDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { Pager } from '../../ui/pager';
import { Panel } from '../../ui/panel';
import { Empty, Loaded } from '../../ui/states';
import { RevokeKey } from '../keys/change-key';
import { CreateKey } from '../keys/create-key';
import { KeyTable } from '../keys/key-table';

/** The keys of an account, which the operator creates and revokes. */
export function AccountKeys({ accountId }: { accountId: string }) {
  const session = useSession();
  const [filters, setFilters] = useUrlFilters({ page: '1' });
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKeyDto | null>(null);
  const keys = useQuery({
    queryKey: queryKeys.apiKeys.ofAccount(accountId, filters),
    queryFn: ({ signal }) =>
      call(listAccountApiKeys, { path: { accountId }, query: { page: Number(filters.page) } }, { signal }),
  });
  const actionsOf = (key: ApiKeyDto) =>
    key.id === session.key.id
      ? []
      : [{ label: t('Revoke'), icon: 'close' as const, danger: true, onSelect: () => setRevoked(key) }];
  return (
    <Panel
      title={t('API keys')}
      flush
      actions={
        <Button icon="plus" onClick={() => setCreating(true)}>
          {t('Create key')}
        </Button>
      }
    >
      <Loaded query={keys}>
        {({ items, page, totalPages, totalCount }) =>
          totalCount === 0 ? (
            <Empty
              title={t('No keys')}
              icon="lock"
              hint={t('The account cannot be used without a key. Create one and pass it on.')}
            />
          ) : (
            <>
              <KeyTable
                label={t('API keys of the account')}
                keys={items}
                ownId={session.key.id}
                actionsOf={actionsOf}
              />
              <Pager {...{ page, totalPages, totalCount }} onPage={(next) => setFilters({ page: String(next) })} />
            </>
          )
        }
      </Loaded>
      <CreateKey open={isCreating} accountId={accountId} onClose={() => setCreating(false)} />
      {revoked && <RevokeKey apiKey={revoked} accountId={accountId} onClose={() => setRevoked(null)} />}
    </Panel>
  );
}
