import type { Scope } from '../../api/scopes';
import { t } from '../../language/translate';

/** What each scope allows, in the order of the documentation. */
export const SCOPE_LABELS: Record<Scope, string> = {
  'messaging:send': t('Send templates to people, files and groups; see jobs and templates'),
  'messaging:read': t('Read messages and conversations'),
  'messaging:manage': t('Reply, mark as read, erase conversations'),
  'templates:read': t('See templates'),
  'templates:manage': t('Create, edit and delete templates'),
  'jobs:read': t('See jobs and their reports'),
  'jobs:manage': t('Pause, resume, cancel and retry jobs'),
  'groups:read': t('See contacts, groups and opt-outs'),
  'groups:manage': t('Manage contacts, groups and opt-outs'),
  'webhooks:manage': t('Manage webhook endpoints'),
  'keys:manage': t('Manage API keys, read the audit log'),
  'accounts:manage': t('Manage all accounts (operator only)'),
};

/** All scopes. */
export const SCOPES = Object.keys(SCOPE_LABELS) as Scope[];

/** The scopes that a usual task needs. */
export const PRESETS: readonly { value: string; label: string; scopes: Scope[] }[] = [
  { value: 'send', label: t('Send messages'), scopes: ['messaging:send'] },
  { value: 'campaigns', label: t('Run campaigns'), scopes: ['messaging:send', 'jobs:manage', 'groups:manage'] },
  {
    value: 'answer',
    label: t('Answer conversations'),
    scopes: ['messaging:send', 'messaging:manage', 'groups:read'],
  },
  { value: 'read', label: t('Read only'), scopes: ['messaging:read', 'templates:read', 'jobs:read', 'groups:read'] },
  {
    value: 'account',
    label: t('Everything in the account'),
    scopes: SCOPES.filter((scope) => scope !== 'accounts:manage'),
  },
];
