import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listApiKeys } from '../../../client/generated/sdk.gen';
import type { ApiKeyDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { PageHeader } from '../../ui/page-header';
import { Pager } from '../../ui/pager';
import { Panel } from '../../ui/panel';
import { Empty, Loaded } from '../../ui/states';
import { AsOf } from '../../ui/time';
import { RevokeKey, RotateKey } from './change-key';
import { CreateKey } from './create-key';
import { KeyTable } from './key-table';

/** The API keys of the account. */
export default function KeysScreen() {
  const session = useSession();
  const [filters, setFilters] = useUrlFilters({ page: '1' });
  const [isCreating, setCreating] = useState(false);
  const [rotated, setRotated] = useState<ApiKeyDto | null>(null);
  const [revoked, setRevoked] = useState<ApiKeyDto | null>(null);
  const keys = useQuery({
    queryKey: queryKeys.apiKeys.own(filters),
    queryFn: ({ signal }) => call(listApiKeys, { query: { page: Number(filters.page), pageSize: 50 } }, { signal }),
  });
  const create = (
    <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
      {t('Create key')}
    </Button>
  );
  const actionsOf = (key: ApiKeyDto) => [
    { label: t('Rotate secret'), icon: 'retry' as const, onSelect: () => setRotated(key) },
    // A key cannot revoke itself.
    ...(key.id === session.key.id
      ? []
      : [{ label: t('Revoke'), icon: 'close' as const, danger: true, onSelect: () => setRevoked(key) }]),
  ];
  return (
    <>
      <PageHeader
        title={t('API keys')}
        lead={t('Programs and people use the account through keys; scopes limit what a key can do.')}
        asOf={<AsOf at={keys.dataUpdatedAt} />}
        actions={create}
      />
      <Loaded query={keys}>
        {({ items, page, totalPages, totalCount }) =>
          items.length === 0 ? (
            <Empty title={t('No keys on this page')} icon="lock" />
          ) : (
            <Panel title={t('Keys of this account')} flush>
              <KeyTable label={t('API keys')} keys={items} ownId={session.key.id} actionsOf={actionsOf} />
              <Pager {...{ page, totalPages, totalCount }} onPage={(next) => setFilters({ page: String(next) })} />
            </Panel>
          )
        }
      </Loaded>
      <CreateKey open={isCreating} onClose={() => setCreating(false)} />
      <RotateKey apiKey={rotated} onClose={() => setRotated(null)} />
      {revoked && <RevokeKey apiKey={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}
