import type { Scope } from '../../api/scopes';

/** What each scope allows, in the order of the documentation. */
export const SCOPE_LABELS: Record<Scope, string> = {
  'messaging:send': 'Send templates to people, files and groups; see jobs and templates',
  'messaging:read': 'Read messages and conversations',
  'messaging:manage': 'Reply, mark as read, erase conversations',
  'templates:read': 'See templates',
  'templates:manage': 'Create, edit and delete templates',
  'jobs:read': 'See jobs and their reports',
  'jobs:manage': 'Pause, resume, cancel and retry jobs',
  'groups:read': 'See contacts, groups and opt-outs',
  'groups:manage': 'Manage contacts, groups and opt-outs',
  'webhooks:manage': 'Manage webhook endpoints',
  'keys:manage': 'Manage API keys, read the audit log',
  'accounts:manage': 'Manage all accounts (operator only)',
};

/** All scopes. */
export const SCOPES = Object.keys(SCOPE_LABELS) as Scope[];
