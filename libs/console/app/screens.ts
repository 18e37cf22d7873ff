import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { firstConversations } from '../screens/conversations/conversation-list-query';
import { jobQuery } from '../screens/job/job-query';
import type { Scope } from '../api/scopes';
import type { IconName } from '../ui/icon';
import type { ScreenProps } from './screen-props';
import { t } from '../language/translate';

/** A screen of the console. */
export interface Screen {
  /** Route below `/console`, with `:name` for parameters. */
  path: string;
  /** Opens for keys with any of these scopes; empty: for every key. */
  scopes: readonly Scope[];
  /** Navigation entry; absent: reachable only from other screens. */
  nav?: { task: Task; label: string };
  /** Loads its code, with that of the screens beside it. */
  load: () => Promise<ComponentType<ScreenProps>>;
  /** Starts its first query, before its code is loaded, when a page opens here. */
  first?: (queries: QueryClient, params: ScreenProps['params'], search: URLSearchParams) => Promise<void>;
}

/** The navigation groups, with their names and icons. */
export const TASKS = {
  Overview: { name: t('Overview'), icon: 'overview' },
  Send: { name: t('Send'), icon: 'send' },
  Jobs: { name: t('Jobs'), icon: 'jobs' },
  Conversations: { name: t('Messages'), icon: 'chat' },
  Templates: { name: t('Templates'), icon: 'template' },
  People: { name: t('People'), icon: 'people' },
  Developers: { name: t('Developers'), icon: 'code' },
  Operator: { name: t('Accounts'), icon: 'shield' },
} as const satisfies Record<string, { name: string; icon: IconName }>;

/** A navigation group. */
export type Task = keyof typeof TASKS;

/** All screens; the code of each area is loaded on first use. */
export const SCREENS: readonly Screen[] = [
  {
    path: '/',
    scopes: ['jobs:read', 'messaging:read'],
    nav: { task: 'Overview', label: t('Overview') },
    load: async () => (await import('../screens/overview/overview-screen')).default,
  },
  {
    path: '/jobs',
    scopes: ['jobs:read'],
    nav: { task: 'Jobs', label: t('Jobs') },
    load: async () => (await import('./areas/jobs')).default.jobs,
  },
  {
    path: '/jobs/:jobId',
    scopes: ['jobs:read'],
    load: async () => (await import('./areas/jobs')).default.job,
    first: (queries, { jobId }) => queries.prefetchQuery(jobQuery(jobId!)),
  },
  {
    path: '/jobs/:jobId/recipients',
    scopes: ['jobs:read'],
    load: async () => (await import('./areas/jobs')).default.recipients,
    first: (queries, { jobId }) => queries.prefetchQuery(jobQuery(jobId!)),
  },
  {
    path: '/jobs/:jobId/failures',
    scopes: ['jobs:read'],
    load: async () => (await import('./areas/jobs')).default.failures,
    first: (queries, { jobId }) => queries.prefetchQuery(jobQuery(jobId!)),
  },
  {
    path: '/keys',
    scopes: ['keys:manage'],
    nav: { task: 'Developers', label: t('API keys') },
    load: async () => (await import('./areas/developers')).default.keys,
  },
  {
    path: '/webhooks',
    scopes: ['webhooks:manage'],
    nav: { task: 'Developers', label: t('Webhooks') },
    load: async () => (await import('./areas/developers')).default.webhooks,
  },
  {
    path: '/webhooks/:endpointId',
    scopes: ['webhooks:manage'],
    load: async () => (await import('./areas/developers')).default.endpoint,
  },
  {
    path: '/audit',
    scopes: ['keys:manage'],
    nav: { task: 'Developers', label: t('Audit log') },
    load: async () => (await import('./areas/developers')).default.audit,
  },
  {
    path: '/accounts',
    scopes: ['accounts:manage'],
    nav: { task: 'Operator', label: t('Accounts') },
    load: async () => (await import('./areas/developers')).default.accounts,
  },
  {
    path: '/accounts/:accountId',
    scopes: ['accounts:manage'],
    load: async () => (await import('./areas/developers')).default.account,
  },
  {
    path: '/send/campaign',
    scopes: ['messaging:send'],
    nav: { task: 'Send', label: t('New campaign') },
    load: async () => (await import('./areas/send')).default.campaign,
  },
  {
    path: '/send/group',
    scopes: ['messaging:send'],
    nav: { task: 'Send', label: t('To a group') },
    load: async () => (await import('./areas/send')).default.groupSend,
  },
  {
    path: '/send/one',
    scopes: ['messaging:send'],
    nav: { task: 'Send', label: t('One message') },
    load: async () => (await import('./areas/send')).default.singleSend,
  },
  {
    path: '/senders',
    scopes: ['messaging:read', 'jobs:read'],
    nav: { task: 'Send', label: t('Senders') },
    load: async () => (await import('./areas/developers')).default.senders,
  },
  {
    path: '/templates',
    scopes: ['templates:read'],
    nav: { task: 'Templates', label: t('Templates') },
    load: async () => (await import('./areas/templates')).default.templates,
  },
  {
    path: '/templates/new',
    scopes: ['templates:manage'],
    load: async () => (await import('./areas/templates')).default.templateEditor,
  },
  {
    path: '/templates/:templateId',
    scopes: ['templates:read'],
    load: async () => (await import('./areas/templates')).default.template,
  },
  {
    path: '/templates/:templateId/edit',
    scopes: ['templates:manage'],
    load: async () => (await import('./areas/templates')).default.templateEditor,
  },
  {
    path: '/conversations',
    scopes: ['messaging:read'],
    nav: { task: 'Conversations', label: t('Conversations') },
    load: async () => (await import('./areas/conversations')).default.conversations,
    first: (queries, _params, search) => queries.prefetchQuery(firstConversations(search)),
  },
  {
    path: '/messages',
    scopes: ['messaging:read'],
    nav: { task: 'Conversations', label: t('Message search') },
    load: async () => (await import('./areas/conversations')).default.messages,
  },
  {
    path: '/messages/:messageId',
    scopes: ['messaging:read'],
    load: async () => (await import('./areas/conversations')).default.message,
  },
  {
    path: '/contacts',
    scopes: ['groups:read'],
    nav: { task: 'People', label: t('Contacts') },
    load: async () => (await import('./areas/people')).default.contacts,
  },
  {
    path: '/contacts/:contactId',
    scopes: ['groups:read'],
    load: async () => (await import('./areas/people')).default.contact,
  },
  {
    path: '/groups',
    scopes: ['groups:read'],
    nav: { task: 'People', label: t('Groups') },
    load: async () => (await import('./areas/people')).default.groups,
  },
  {
    path: '/groups/:groupId',
    scopes: ['groups:read'],
    load: async () => (await import('./areas/people')).default.group,
  },
  {
    path: '/opt-outs',
    scopes: ['groups:read'],
    nav: { task: 'People', label: t('Opt-outs') },
    load: async () => (await import('./areas/people')).default.optOuts,
  },
  {
    path: '/components',
    scopes: [],
    load: async () => (await import('./areas/developers')).default.components,
  },
];

/** The screens in the navigation that the key's scopes allow. */
export function shownScreens(session: { can(...anyOf: readonly Scope[]): boolean }): Screen[] {
  return SCREENS.filter(({ nav, scopes }) => nav && (scopes.length === 0 || session.can(...scopes)));
}
