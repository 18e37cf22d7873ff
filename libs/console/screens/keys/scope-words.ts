import type { Scope } from '../../api/scopes';

/** What each scope lets a key do, in the order of the documentation. */
export const SCOPE_WORDS: Record<Scope, string> = {
  'messaging:send': 'Send templates to people, files and groups; see jobs and templates',
  'messaging:read': 'Read messages and conversations',
  'messaging:manage': 'Answer people, mark as read, erase what was said',
  'templates:read': 'See templates',
  'templates:manage': 'Write, submit and delete templates',
  'jobs:read': 'See jobs and their reports',
  'jobs:manage': 'Pause, resume, cancel and retry jobs',
  'groups:read': 'See contacts, groups and opt-outs',
  'groups:manage': 'Change contacts, groups and opt-outs',
  'webhooks:manage': 'Manage webhook endpoints',
  'keys:manage': 'Manage API keys, read the audit log',
  'accounts:manage': 'Everything of all accounts: for the operator',
};

/** All scopes. */
export const SCOPES = Object.keys(SCOPE_WORDS) as Scope[];
