import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import type { Scope } from '../api/scopes';
import type { IconName } from '../ui/icon';
import type { ScreenProps } from './screen-props';

/** A screen of the console. */
export interface Screen {
  /** Its address after `/console`, with `:names` for parts. */
  path: string;
  /** It opens for keys with one of these; empty: for every key. */
  scopes: readonly Scope[];
  /** Its place in the navigation; absent: other screens lead to it. */
  nav?: { task: Task; label: string };
  component: LazyExoticComponent<ComponentType<ScreenProps>>;
}

/** The navigation, by what somebody wants to do. */
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

/** One of them. */
export type Task = keyof typeof TASKS;

/** All screens; each is loaded when it is first opened. */
export const SCREENS: readonly Screen[] = [
  {
    path: '/',
    scopes: ['jobs:read', 'messaging:read'],
    nav: { task: 'Overview', label: 'Overview' },
    component: lazy(() => import('../screens/overview/overview-screen')),
  },
  {
    path: '/jobs',
    scopes: ['jobs:read'],
    nav: { task: 'Jobs', label: 'Jobs' },
    component: lazy(() => import('../screens/jobs/jobs-screen')),
  },
  {
    path: '/jobs/:jobId',
    scopes: ['jobs:read'],
    component: lazy(() => import('../screens/job/job-screen')),
  },
  {
    path: '/jobs/:jobId/recipients',
    scopes: ['jobs:read'],
    component: lazy(() => import('../screens/job/recipients-screen')),
  },
  {
    path: '/jobs/:jobId/failures',
    scopes: ['jobs:read'],
    component: lazy(() => import('../screens/job/failures-screen')),
  },
  {
    path: '/senders',
    scopes: ['messaging:read', 'jobs:read'],
    nav: { task: 'Developers', label: 'Senders' },
    component: lazy(() => import('../screens/senders/senders-screen')),
  },
  {
    path: '/keys',
    scopes: ['keys:manage'],
    nav: { task: 'Developers', label: 'API keys' },
    component: lazy(() => import('../screens/keys/keys-screen')),
  },
  {
    path: '/webhooks',
    scopes: ['webhooks:manage'],
    nav: { task: 'Developers', label: 'Webhooks' },
    component: lazy(() => import('../screens/webhooks/webhooks-screen')),
  },
  {
    path: '/webhooks/:endpointId',
    scopes: ['webhooks:manage'],
    component: lazy(() => import('../screens/webhooks/endpoint-screen')),
  },
  {
    path: '/audit',
    scopes: ['keys:manage'],
    nav: { task: 'Developers', label: 'Audit log' },
    component: lazy(() => import('../screens/audit/audit-screen')),
  },
  {
    path: '/accounts',
    scopes: ['accounts:manage'],
    nav: { task: 'Operator', label: 'Accounts' },
    component: lazy(() => import('../screens/accounts/accounts-screen')),
  },
  {
    path: '/accounts/:accountId',
    scopes: ['accounts:manage'],
    component: lazy(() => import('../screens/accounts/account-screen')),
  },
  {
    path: '/send/campaign',
    scopes: ['messaging:send'],
    nav: { task: 'Send', label: 'New campaign' },
    component: lazy(() => import('../screens/send/campaign-screen')),
  },
  {
    path: '/send/group',
    scopes: ['messaging:send'],
    nav: { task: 'Send', label: 'To a group' },
    component: lazy(() => import('../screens/send/group-send-screen')),
  },
  {
    path: '/send/one',
    scopes: ['messaging:send'],
    nav: { task: 'Send', label: 'One message' },
    component: lazy(() => import('../screens/send/single-send-screen')),
  },
  {
    path: '/templates',
    scopes: ['templates:read'],
    nav: { task: 'Templates', label: 'Templates' },
    component: lazy(() => import('../screens/templates/templates-screen')),
  },
  {
    path: '/templates/new',
    scopes: ['templates:manage'],
    component: lazy(() => import('../screens/templates/template-editor-screen')),
  },
  {
    path: '/templates/:templateId',
    scopes: ['templates:read'],
    component: lazy(() => import('../screens/templates/template-screen')),
  },
  {
    path: '/templates/:templateId/edit',
    scopes: ['templates:manage'],
    component: lazy(() => import('../screens/templates/template-editor-screen')),
  },
  {
    path: '/conversations',
    scopes: ['messaging:read'],
    nav: { task: 'Conversations', label: 'Conversations' },
    component: lazy(() => import('../screens/conversations/conversations-screen')),
  },
  {
    path: '/messages',
    scopes: ['messaging:read'],
    nav: { task: 'Conversations', label: 'Message search' },
    component: lazy(() => import('../screens/messages/messages-screen')),
  },
  {
    path: '/messages/:messageId',
    scopes: ['messaging:read'],
    component: lazy(() => import('../screens/messages/message-screen')),
  },
  {
    path: '/contacts',
    scopes: ['groups:read'],
    nav: { task: 'People', label: 'Contacts' },
    component: lazy(() => import('../screens/contacts/contacts-screen')),
  },
  {
    path: '/contacts/:contactId',
    scopes: ['groups:read'],
    component: lazy(() => import('../screens/contacts/contact-screen')),
  },
  {
    path: '/groups',
    scopes: ['groups:read'],
    nav: { task: 'People', label: 'Groups' },
    component: lazy(() => import('../screens/groups/groups-screen')),
  },
  {
    path: '/groups/:groupId',
    scopes: ['groups:read'],
    component: lazy(() => import('../screens/groups/group-screen')),
  },
  {
    path: '/opt-outs',
    scopes: ['groups:read'],
    nav: { task: 'People', label: 'Opt-outs' },
    component: lazy(() => import('../screens/opt-outs/opt-outs-screen')),
  },
  {
    path: '/components',
    scopes: [],
    component: lazy(() => import('../screens/components/components-screen')),
  },
];
