import type { ApiKeyDto } from '../../../client/generated/types.gen';
import { rich, t } from '../../language/translate';
import { Badge } from '../../ui/badge';
import { Menu, type MenuAction } from '../../ui/menu';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';

/** A table of keys with scopes and last use. `actionsOf`: the menu items of a key; no menu if empty. */
export function KeyTable({
  keys,
  label,
  ownId,
  actionsOf,
}: {
  keys: readonly ApiKeyDto[];
  label: string;
  /** Id of the session's key. */
  ownId: string;
  actionsOf: (key: ApiKeyDto) => readonly MenuAction[];
}) {
  const columns: Column<ApiKeyDto>[] = [
    {
      key: 'name',
      head: t('Key'),
      cell: (key) => (
        <div className="keys-name">
          <span>
            <bdi>{key.name}</bdi> {key.id === ownId && <Badge tone="active">{t('Current key')}</Badge>}
          </span>
          <span className="hint">
            <code className="keys-prefix">{`mta_${key.prefix}…`}</code>
            {key.allowedIps.length > 0 && (
              <> {t('restricted to {addresses}', { addresses: key.allowedIps.join(', ') })}</>
            )}
          </span>
        </div>
      ),
    },
    { key: 'scopes', head: t('Scopes'), wideOnly: true, cell: (key) => <Scopes scopes={key.scopes} /> },
    {
      key: 'used',
      head: t('Last used'),
      cell: (key) => (key.lastUsedAt ? <Time at={key.lastUsedAt} /> : <span className="hint">{t('Never')}</span>),
    },
    { key: 'expires', head: t('Expires'), wideOnly: true, cell: (key) => <Expiry apiKey={key} /> },
    {
      key: 'actions',
      head: t('Actions'),
      align: 'end',
      cell: (key) => {
        const actions = actionsOf(key);
        return actions.length > 0 && <Menu label={t('Actions')} about={key.name} actions={actions} />;
      },
    },
  ];
  return <Table label={label} columns={columns} rows={keys} rowKey={({ id }) => id} />;
}

function Scopes({ scopes }: { scopes: readonly string[] }) {
  return (
    <ul className="keys-scopes" aria-label={t('Scopes')}>
      {scopes.map((scope) => (
        <li key={scope}>
          <code>{scope}</code>
        </li>
      ))}
    </ul>
  );
}

function Expiry({ apiKey: { expiresAt, previousKeyValidUntil } }: { apiKey: ApiKeyDto }) {
  return (
    <div className="keys-name">
      {expiresAt ? <Time at={expiresAt} /> : <span className="hint">{t('Never')}</span>}
      {previousKeyValidUntil && (
        <span className="hint">
          {rich('old secret valid until {time}', { time: <Time at={previousKeyValidUntil} as="clock" /> })}
        </span>
      )}
    </div>
  );
}
