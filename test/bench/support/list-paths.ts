import { encodeCursor } from '../../../src/kernel/time-cursor';
import type { BookIds } from '../../support/grown-books';
import { phoneOf } from '../../support/grown-history';
import type { PathOf } from './page-times';

/** A conversation, its last message, and when that was. */
export interface Place {
  id: string;
  message: string;
  at: string;
}

/** What a grown account has. */
export interface GrownPlace extends BookIds {
  /** The latest job; each recipient has a message. */
  jobId: string;
  /** Numbers of people, jobs, contacts and opt-outs. */
  people: number;
  jobs: number;
  contacts: number;
  optOuts: number;
  /** Some conversations. */
  places: Place[];
}

/** The lists of the API, at their beginning and deep inside. */
export function listPaths(grown: GrownPlace): Record<string, PathOf> {
  const { jobId, people, jobs, contacts, optOuts, places, groupId, endpointId } = grown;
  const place = (call: number): Place => places[call % places.length]!;
  const within = (most: number): number => 1 + Math.floor(Math.random() * (most - 100));
  const deep = (call: number): string => encodeCursor(place(call));
  const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
  // Jobs and opt-outs are a minute apart.
  const minutesAgo = (minutes: number): string => daysAgo(minutes / 1440).replace('Z', '000Z');
  return {
    templates: () => '/templates',
    'jobs, first page': () => '/bulk-jobs',
    'jobs, late page': () => `/bulk-jobs?page=${Math.floor(jobs / 20)}`,
    'jobs, late page by cursor': () =>
      `/bulk-jobs?cursor=${encodeCursor({ at: minutesAgo(jobs - 100), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' })}`,
    'jobs by reference': () => `/bulk-jobs?reference=order-${within(jobs)}`,
    'jobs by name': () => `/bulk-jobs?search=rders ${within(jobs)}`,
    'recipients of a job': () => `/bulk-jobs/${jobId}/recipients?limit=50&cursor=${within(people)}`,
    'recipients by status': () => `/bulk-jobs/${jobId}/recipients?limit=50&status=Read&cursor=${within(people)}`,
    'failures of a job': () => `/bulk-jobs/${jobId}/failures`,
    'messages, first page': () => '/messages?limit=50',
    'messages, deep': (call) =>
      `/messages?limit=50&cursor=${encodeCursor({ at: place(call).at, id: place(call).message })}`,
    'messages of two months ago': (call) => `/messages?limit=50&createdBefore=${daysAgo(59 - call / 1e6)}`,
    'messages of a job': () => `/messages?limit=50&jobId=${jobId}`,
    'messages by status': () => '/messages?limit=50&status=Read',
    'messages to a number': () => `/messages?limit=50&to=${phoneOf(within(people))}`,
    'conversations, first page': () => '/conversations?limit=50',
    'conversations awaiting a reply': () => '/conversations?awaitingReply=true&limit=50',
    'conversations unread': () => '/conversations?unread=true&limit=50',
    'conversations by name': () => `/conversations?limit=50&search=mira ${within(people)}`,
    'conversations by number': () => `/conversations?limit=50&search=${phoneOf(within(people))}`,
    'conversations, deep': (call) => `/conversations?limit=50&cursor=${deep(call)}`,
    'messages of a conversation': (call) => `/conversations/${place(call).id}/messages?limit=50`,
    'contacts, first page': () => '/contacts?limit=50',
    'contacts by name': () => `/contacts?limit=50&search=mira ${within(contacts)}`,
    'contacts by number': () => `/contacts?limit=50&search=${phoneOf(within(contacts))}`,
    'contacts by a word that 5,000 old ones share': () => '/contacts?limit=50&search=wintersale',
    groups: () => '/groups',
    'members of a group': () => `/groups/${groupId}/contacts?limit=50`,
    'members by name': () => `/groups/${groupId}/contacts?limit=50&search=mira ${within(contacts / 4)}`,
    'opt-outs, first page': () => '/opt-outs',
    'opt-outs, late page by cursor': () =>
      `/opt-outs?cursor=${encodeCursor({ at: minutesAgo(optOuts - 100), id: '0 All' })}`,
    'audit log, first page': () => '/audit-log?limit=50',
    'audit log, an hour ago': () => `/audit-log?limit=50&createdBefore=${daysAgo(1 / 24)}`,
    'audit log by action': () => '/audit-log?limit=50&action=key.created',
    'webhook deliveries': () => `/webhook-endpoints/${endpointId}/deliveries?limit=50`,
    overview: () => '/overview',
  };
}
