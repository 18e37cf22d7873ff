import type { ComponentType } from 'react';
import { jobQuery } from '../screens/job/job-query';
import type { Scope } from '../api/scopes';
import type { IconName } from '../ui/icon';
import type { ScreenProps } from './screen-props';

/** A screen of the console. */
export interface Screen {
  /** Route below `/console`, with `:name` for parameters. */
  path: string;
  /** Opens for keys with any of these scopes; empty: for every key. */
  scopes: readonly Scope[];
  /** Navigation entry; absent: reachable only from other screens. */
  nav?: { task: Task; label: string };
  /** Loads its code. */
  load: () => Promise<{ default: ComponentType<ScreenProps> }>;
  /** Its first query, started before its code is loaded when a page opens here. */
  first?: (params: ScreenProps['params']) => ReturnType<typeof jobQuery>;
}

/** The navigation groups and their icons. */
export const TASKS = {
  Overview: 'overview',
  Send: 'send',
  Jobs: 'jobs',
  Conversations: 'chat',
  Templates: 'template',
  People: 'people',
  Developers: 'code',
  Operator: 'shield',
} as const satisfies Record<string, IconName>;

/** A navigation group. */
export type Task = keyof typeof TASKS;

/** All screens; each is loaded on first use. */
export const SCREENS: readonly Screen[] = [
  {
    path: '/',
    scopes: ['jobs:read', 'messaging:read'],
    nav: { task: 'Overview', label: 'Overview' },
    load: () => import('../screens/overview/overview-screen'),
  },
  {
    path: '/jobs',
    scopes: ['jobs:read'],
    nav: { task: 'Jobs', label: 'Jobs' },
    load: () => import('../screens/jobs/jobs-screen'),
  },
  {
    path: '/jobs/:jobId',
    scopes: ['jobs:read'],
    load: () => import('../screens/job/job-screen'),
    first: ({ jobId }) => jobQuery(jobId!),
  },
  {
    path: '/jobs/:jobId/recipients',
    scopes: ['jobs:read'],
    load: () => import('../screens/job/recipients-screen'),
    first: ({ jobId }) => jobQuery(jobId!),
  },
  {
    path: '/jobs/:jobId/failures',
    scopes: ['jobs:read'],
    load: () => import('../screens/job/failures-screen'),
    first: ({ jobId }) => jobQuery(jobId!),
  },
  {
    path: '/senders',
    scopes: ['messaging:read', 'jobs:read'],
    nav: { task: 'Developers', label: 'Senders' },
    load: () => import('../screens/senders/senders-screen'),
  },
  {
    path: '/keys',
    scopes: ['keys:manage'],
    nav: { task: 'Developers', label: 'API keys' },
    load: () => import('../screens/keys/keys-screen'),
  },
  {
    path: '/webhooks',
    scopes: ['webhooks:manage'],
    nav: { task: 'Developers', label: 'Webhooks' },
    load: () => import('../screens/webhooks/webhooks-screen'),
  },
  {
    path: '/webhooks/:endpointId',
    scopes: ['webhooks:manage'],
    load: () => import('../screens/webhooks/endpoint-screen'),
  },
  {
    path: '/audit',
    scopes: ['keys:manage'],
    nav: { task: 'Developers', label: 'Audit log' },
    load: () => import('../screens/audit/audit-screen'),
  },
  {
    path: '/accounts',
    scopes: ['accounts:manage'],
    nav: { task: 'Operator', label: 'Accounts' },
    load: () => import('../screens/accounts/accounts-screen'),
  },
  {
    path: '/accounts/:accountId',
    scopes: ['accounts:manage'],
    load: () => import('../screens/accounts/account-screen'),
  },
  {
    path: '/send/campaign',
    scopes: ['messaging:send'],
    nav: { task: 'Send', label: 'New campaign' },
    load: () => import('../screens/send/campaign-screen'),
  },
  {
    path: '/send/group',
    scopes: ['messaging:send'],
    nav: { task: 'Send', label: 'To a group' },
    load: () => import('../screens/send/group-send-screen'),
  },
  {
    path: '/send/one',
    scopes: ['messaging:send'],
    nav: { task: 'Send', label: 'One message' },
    load: () => import('../screens/send/single-send-screen'),
  },
  {
    path: '/templates',
    scopes: ['templates:read'],
    nav: { task: 'Templates', label: 'Templates' },
    load: () => import('../screens/templates/templates-screen'),
  },
  {
    path: '/templates/new',
    scopes: ['templates:manage'],
    load: () => import('../screens/templates/template-editor-screen'),
  },
  {
    path: '/templates/:templateId',
    scopes: ['templates:read'],
    load: () => import('../screens/templates/template-screen'),
  },
  {
    path: '/templates/:templateId/edit',
    scopes: ['templates:manage'],
    load: () => import('../screens/templates/template-editor-screen'),
  },
  {
    path: '/conversations',
    scopes: ['messaging:read'],
    nav: { task: 'Conversations', label: 'Conversations' },
    load: () => import('../screens/conversations/conversations-screen'),
  },
  {
    path: '/messages',
    scopes: ['messaging:read'],
    nav: { task: 'Conversations', label: 'Message search' },
    load: () => import('../screens/messages/messages-screen'),
  },
  {
    path: '/messages/:messageId',
    scopes: ['messaging:read'],
    load: () => import('../screens/messages/message-screen'),
  },
  {
    path: '/contacts',
    scopes: ['groups:read'],
    nav: { task: 'People', label: 'Contacts' },
    load: () => import('../screens/contacts/contacts-screen'),
  },
  {
    path: '/contacts/:contactId',
    scopes: ['groups:read'],
    load: () => import('../screens/contacts/contact-screen'),
  },
  {
    path: '/groups',
    scopes: ['groups:read'],
    nav: { task: 'People', label: 'Groups' },
    load: () => import('../screens/groups/groups-screen'),
  },
  {
    path: '/groups/:groupId',
    scopes: ['groups:read'],
    load: () => import('../screens/groups/group-screen'),
  },
  {
    path: '/opt-outs',
    scopes: ['groups:read'],
    nav: { task: 'People', label: 'Opt-outs' },
    load: () => import('../screens/opt-outs/opt-outs-screen'),
  },
  {
    path: '/components',
    scopes: [],
    load: () => import('../screens/components/components-screen'),
  },
];
