import { useQuery } from '@tanstack/react-query';
import { listApiKeys, listContacts, listTemplates } from '../../../client/generated/sdk.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { t } from '../../language/translate';
import { Badge } from '../../ui/badge';
import { Link } from '../../ui/link';
import { Panel } from '../../ui/panel';

const APPROVED = { status: 'Approved', pageSize: 1 } as const;
const ONE_CONTACT = { limit: 1 };
const TWO_KEYS = { page: 1, pageSize: 2 };

interface Step {
  to: string;
  name: string;
  hint: string;
  /** Undefined while it is loading. */
  isDone: boolean | undefined;
}

/** What an account without messages does first, in order, with what is done already; only steps that the key allows. */
export function FirstSteps() {
  return (
    <Panel title={t('First steps')}>
      <ol className="attention">
        {useSteps().map(({ to, name, hint, isDone }, index) => (
          <li key={to}>
            <div className="row">
              <span>{index + 1}.</span>
              <Link to={to}>{name}</Link>
              {isDone !== undefined && (
                <Badge tone={isDone ? 'good' : 'plain'}>
                  {isDone ? t('Done', {}, 'a step') : t('To do', {}, 'a step')}
                </Badge>
              )}
            </div>
            <p className="hint">{hint}</p>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function useSteps(): Step[] {
  const session = useSession();
  const template = useQuery({
    queryKey: queryKeys.templates.list(APPROVED),
    enabled: session.can('templates:read'),
    queryFn: async ({ signal }) => (await call(listTemplates, { query: APPROVED }, { signal })).totalCount > 0,
  });
  const contact = useQuery({
    queryKey: queryKeys.contacts.list(ONE_CONTACT),
    enabled: session.can('groups:read'),
    queryFn: async ({ signal }) => (await call(listContacts, { query: ONE_CONTACT }, { signal })).items.length > 0,
  });
  const key = useQuery({
    queryKey: queryKeys.apiKeys.own(TWO_KEYS),
    enabled: session.can('keys:manage'),
    queryFn: async ({ signal }) => (await call(listApiKeys, { query: TWO_KEYS }, { signal })).items.length > 1,
  });
  return [
    ...(session.can('templates:read')
      ? [
          {
            to: '/templates',
            name: t('Have an approved template'),
            hint: t('Every message that starts a conversation needs one.'),
            isDone: template.data,
          },
        ]
      : []),
    ...(session.can('messaging:send')
      ? [
          {
            to: '/send/one',
            name: t('Send yourself a message'),
            hint: t('To your own number, before other people get one.'),
            isDone: false,
          },
        ]
      : []),
    ...(session.can('groups:read')
      ? [
          {
            to: '/contacts',
            name: t('Import contacts'),
            hint: t('Or begin with a campaign: its file needs no contacts.'),
            isDone: contact.data,
          },
        ]
      : []),
    ...(session.can('keys:manage')
      ? [
          {
            to: '/keys',
            name: t('Give colleagues their own keys'),
            hint: t('The audit log then shows who did what.'),
            isDone: key.data,
          },
        ]
      : []),
  ];
}
