import { encodeCursor } from '../../../src/kernel/time-cursor';
import { phoneOf } from '../../support/grown-history';
import type { PathOf } from './page-times';

/** A conversation, its last message, and when that was. */
export interface Place {
  id: string;
  message: string;
  at: string;
}

/** What a grown account has. */
export interface GrownPlace {
  /** The latest job; each recipient has a message. */
  jobId: string;
  /** Numbers of people, jobs and contacts. */
  people: number;
  jobs: number;
  contacts: number;
  /** Some conversations. */
  places: Place[];
}

/** The lists of the API, at their beginning and deep inside. */
export function listPaths({ jobId, people, jobs, contacts, places }: GrownPlace): Record<string, PathOf> {
  const place = (call: number): Place => places[call % places.length]!;
  const within = (most: number): number => 1 + Math.floor(Math.random() * (most - 100));
  const deep = (call: number): string => encodeCursor(place(call));
  return {
    templates: () => '/templates',
    'jobs, first page': () => '/bulk-jobs',
    'jobs, late page': () => `/bulk-jobs?page=${Math.floor(jobs / 20)}`,
    'jobs by reference': () => `/bulk-jobs?reference=order-${within(jobs)}`,
    'jobs by name': () => `/bulk-jobs?search=rders ${within(jobs)}`,
    'recipients of a job': () => `/bulk-jobs/${jobId}/recipients?limit=50&cursor=${within(people)}`,
    'messages, first page': () => '/messages?limit=50',
    'messages, deep': (call) =>
      `/messages?limit=50&cursor=${encodeCursor({ at: place(call).at, id: place(call).message })}`,
    'messages of two months ago': (call) =>
      `/messages?limit=50&createdBefore=${new Date(Date.now() - 59 * 86_400_000 + call).toISOString()}`,
    'messages of a job': () => `/messages?limit=50&jobId=${jobId}`,
    'messages to a number': () => `/messages?limit=50&to=${phoneOf(within(people))}`,
    'conversations, first page': () => '/conversations?limit=50',
    'conversations awaiting a reply': () => '/conversations?awaitingReply=true&limit=50',
    'conversations, deep': (call) => `/conversations?limit=50&cursor=${deep(call)}`,
    'messages of a conversation': (call) => `/conversations/${place(call).id}/messages?limit=50`,
    'contacts, first page': () => '/contacts?limit=50',
    'contacts by name': () => `/contacts?limit=50&search=mira ${within(contacts)}`,
    'contacts by number': () => `/contacts?limit=50&search=${phoneOf(within(contacts))}`,
  };
}
