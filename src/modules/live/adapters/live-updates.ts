import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { BulkJobsService } from '../../bulk-jobs/domain/bulk-jobs.service';
import type { JobProgress } from '../../bulk-jobs/domain/live-jobs';
import { ConversationsService } from '../../chat-history/domain/conversations.service';
import { type Listener, type LiveEvent, Topic } from '../domain/topic';
import { conversationEvent, jobListEvent, jobEvents } from './live-events';

/** A stream sends at most one event per job or conversation in this time. */
const POLL_INTERVAL_MS = 500;
/** Unread conversations sent when a stream starts: those with the latest messages. */
export const MAX_UNREAD_CONVERSATIONS = 100;
/** Maximum number of unread conversations watched per account. */
const MAX_WATCHED_CONVERSATIONS = 1000;
/** Open and done conversations per account that are watched for replies and for a change of state. */
const LATEST_CONVERSATIONS = 20;

type Unread = Awaited<ReturnType<ConversationsService['unread']>>;
type Latest = Awaited<ReturnType<ConversationsService['latest']>>;

/** An open stream; `onClose` calls back once, whichever side closes it. */
export interface OpenStream extends Listener {
  onClose(handler: () => void): void;
}

/** What a stream contains of conversations. */
export type WatchedConversations = 'none' | 'unread' | 'unread with times';

/** The jobs of an account and, for keys that may read messages, its conversations. */
class AccountTopic extends Topic {
  /** Unread conversations at the last poll with the times of their latest messages: an event is sent once they are read. */
  unread: ReadonlyMap<string, Date> = new Map();
  /** The latest conversations at the last poll, by id; null before the first. */
  versions: ReadonlyMap<string, string> | null = null;

  constructor(
    readonly accountId: string,
    readonly conversations: WatchedConversations,
  ) {
    super();
  }
}

/**
 * Sends changes to open streams. Reads everything watched in this process with one query per kind, twice a second, and nothing while
 * there are no streams. All state is read from the database, so any process can continue a stream.
 */
@Injectable()
export class LiveUpdates implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly jobTopics = new Map<string, Topic>();
  private readonly accountTopics = new Map<string, AccountTopic>();
  private readonly loop: Loop;

  constructor(
    private readonly jobs: BulkJobsService,
    private readonly conversations: ConversationsService,
    clock: Clock,
  ) {
    const logger = new Logger(LiveUpdates.name);
    this.loop = new Loop({
      name: 'live_updates',
      clock,
      everyMs: POLL_INTERVAL_MS,
      round: () => this.poll(),
      failed: ({ message }) => logger.warn(`Reading watched jobs and conversations failed, retrying: ${message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Streams the progress of a job; the caller must be allowed to read it. `lastId`: id of the last event the client received. */
  watchJob(jobId: string, stream: OpenStream, lastId: string | null): void {
    watch(this.jobTopics, jobId, () => new Topic(), stream, lastId);
  }

  /** Streams the jobs of an account and its conversations. */
  watchAccount(
    accountId: string,
    conversations: WatchedConversations,
    stream: OpenStream,
    lastId: string | null,
  ): void {
    const key = `${accountId} ${conversations}`;
    watch(this.accountTopics, key, () => new AccountTopic(accountId, conversations), stream, lastId);
  }

  /** Reads what is watched and sends the changes. */
  async poll(): Promise<void> {
    // Streams added during the queries are served by the next poll.
    const jobTopics = [...this.jobTopics];
    const accountTopics = [...this.accountTopics.values()];
    if (jobTopics.length + accountTopics.length === 0) return;
    const withUnread = accountTopics.filter(({ conversations }) => conversations !== 'none');
    const accounts = withUnread.map(({ accountId }) => accountId);
    const [jobs, unread, latest] = await Promise.all([
      this.jobs.live(
        jobTopics.map(([jobId]) => jobId),
        accountTopics.map(({ accountId }) => accountId),
      ),
      withUnread.length === 0
        ? []
        : this.conversations.unread(
            accounts,
            MAX_UNREAD_CONVERSATIONS,
            withUnread.flatMap(({ unread }) => [...unread.keys()]),
          ),
      withUnread.length === 0 ? [] : this.conversations.latest(accounts, LATEST_CONVERSATIONS),
    ]);
    const byId = new Map(jobs.map((progress) => [progress.job.id, progress]));
    for (const [jobId, topic] of jobTopics) {
      const job = byId.get(jobId);
      if (job) topic.update(jobEvents(job));
      else topic.end();
    }
    const jobsOf = byAccount(jobs, ({ job }) => job.accountId);
    const unreadOf = byAccount(unread, ({ accountId }) => accountId);
    const latestOf = byAccount(latest, ({ accountId }) => accountId);
    for (const topic of accountTopics) {
      const { accountId, conversations } = topic;
      const jobsOfAccount = jobsOf.get(accountId) ?? [];
      if (conversations === 'none') updateAccount(topic, jobsOfAccount, [], []);
      else updateAccount(topic, jobsOfAccount, unreadOf.get(accountId) ?? [], latestOf.get(accountId) ?? []);
    }
  }
}

function updateAccount(topic: AccountTopic, jobs: readonly JobProgress[], unread: Unread, latest: Latest): void {
  const state = new Map<string, LiveEvent>();
  for (const progress of jobs) state.set(progress.job.id, jobListEvent(progress));
  const eventOf = (id: string, count: number, at: Date): LiveEvent =>
    conversationEvent(id, count, topic.conversations === 'unread with times' ? at : undefined);
  const watched = unread.slice(0, MAX_WATCHED_CONVERSATIONS);
  for (const { conversationId, unreadCount, lastMessageAt } of watched) {
    state.set(conversationId, eventOf(conversationId, unreadCount, lastMessageAt));
  }
  const counts = new Map(unread.map(({ conversationId, unreadCount }) => [conversationId, unreadCount]));
  const times = new Map([...topic.unread, ...[...latest, ...unread].map(timeOf)]);
  const read = [...topic.unread.keys()].filter((id) => !counts.has(id));
  topic.unread = new Map(watched.map(timeOf));
  const changed = [...read, ...changedSince(topic.versions, latest)];
  topic.versions = new Map(latest.map(({ conversationId, version }) => [conversationId, version]));
  topic.update(state, new Map(changed.map((id) => [id, eventOf(id, counts.get(id) ?? 0, times.get(id)!)])));
}

function timeOf({ conversationId, lastMessageAt }: Unread[number] | Latest[number]): [string, Date] {
  return [conversationId, lastMessageAt];
}

/** The ids of conversations with another version than at the poll before. */
function changedSince(before: ReadonlyMap<string, string> | null, latest: Latest): string[] {
  const isChanged = ({ conversationId, version }: Latest[number]) => before!.get(conversationId) !== version;
  return before === null ? [] : latest.filter(isChanged).map(({ conversationId }) => conversationId);
}

function watch<T extends Topic>(
  topics: Map<string, T>,
  id: string,
  newTopic: () => T,
  stream: OpenStream,
  lastId: string | null,
): void {
  const topic = topics.get(id) ?? newTopic();
  topics.set(id, topic);
  topic.add(stream, lastId);
  stream.onClose(() => {
    topic.remove(stream);
    if (topic.listeners === 0 && topics.get(id) === topic) topics.delete(id);
  });
}

function byAccount<T>(things: readonly T[], accountOf: (thing: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const thing of things) {
    const group = groups.get(accountOf(thing));
    if (group) group.push(thing);
    else groups.set(accountOf(thing), [thing]);
  }
  return groups;
}
