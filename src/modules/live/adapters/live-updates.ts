import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { BulkJobsService } from '../../bulk-jobs/domain/bulk-jobs.service';
import type { JobProgress } from '../../bulk-jobs/domain/live-jobs';
import { ConversationsService } from '../../chat-history/domain/conversations.service';
import { type Listener, type LiveEvent, Topic } from '../domain/topic';
import { eventOfConversation, eventOfJob, eventsOfJob } from './live-events';

/** A stream has at most one change of each thing in this time. */
const LOOK_EVERY_MS = 500;
/** The unread conversations with which a stream begins: those with the latest messages. */
export const MAX_UNREAD_CONVERSATIONS = 100;
/** The most unread conversations of an account that are watched while its streams last. */
const MAX_WATCHED_CONVERSATIONS = 1000;

type Unread = Awaited<ReturnType<ConversationsService['unread']>>;

/** An open stream; `onClose` calls back once it is closed, whatever closes it. */
export interface OpenStream extends Listener {
  onClose(then: () => void): void;
}

/** The jobs of an account and, for those who may read messages, its conversations. */
class AccountTopic extends Topic {
  /** The unread conversations of the last look: their streams get an event once they are read. */
  unread: readonly string[] = [];

  constructor(
    readonly accountId: string,
    readonly withConversations: boolean,
  ) {
    super();
  }
}

/**
 * Sends changes to open streams: reads everything that is watched in this process together, twice a second, and nothing without
 * streams. Keeps no state that another process could not read as well.
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
      everyMs: LOOK_EVERY_MS,
      round: () => this.look(),
      failed: ({ message }) => logger.warn(`Reading watched jobs and conversations failed, retrying: ${message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** The progress of one job, whose caller may read it. `lastId` is the id of the event that the client got last. */
  watchJob(jobId: string, stream: OpenStream, lastId: string | null): void {
    watch(this.jobTopics, jobId, () => new Topic(), stream, lastId);
  }

  /** The jobs of an account, with its unread conversations or without. */
  watchAccount(accountId: string, withConversations: boolean, stream: OpenStream, lastId: string | null): void {
    const key = `${accountId} ${withConversations}`;
    watch(this.accountTopics, key, () => new AccountTopic(accountId, withConversations), stream, lastId);
  }

  /** Reads what is watched and sends what changed. */
  async look(): Promise<void> {
    // Those that come meanwhile are part of the next look.
    const jobTopics = [...this.jobTopics];
    const accountTopics = [...this.accountTopics.values()];
    if (jobTopics.length + accountTopics.length === 0) return;
    const conversationsOf = accountTopics.filter(({ withConversations }) => withConversations);
    const [jobs, unread] = await Promise.all([
      this.jobs.live(
        jobTopics.map(([jobId]) => jobId),
        accountTopics.map(({ accountId }) => accountId),
      ),
      conversationsOf.length === 0
        ? []
        : this.conversations.unread(
            conversationsOf.map(({ accountId }) => accountId),
            MAX_UNREAD_CONVERSATIONS,
            conversationsOf.flatMap(({ unread }) => unread),
          ),
    ]);
    const byId = new Map(jobs.map((progress) => [progress.job.id, progress]));
    for (const [jobId, topic] of jobTopics) {
      const job = byId.get(jobId);
      if (job) topic.update(eventsOfJob(job));
      else topic.end();
    }
    const jobsOf = byAccount(jobs, ({ job }) => job.accountId);
    const unreadOf = byAccount(unread, ({ accountId }) => accountId);
    for (const topic of accountTopics) {
      const { accountId, withConversations } = topic;
      updateAccount(topic, jobsOf.get(accountId) ?? [], withConversations ? (unreadOf.get(accountId) ?? []) : []);
    }
  }
}

function updateAccount(topic: AccountTopic, jobs: readonly JobProgress[], unread: Unread): void {
  const state = new Map<string, LiveEvent>();
  for (const progress of jobs) state.set(progress.job.id, eventOfJob(progress));
  const watched = unread.slice(0, MAX_WATCHED_CONVERSATIONS);
  for (const { conversationId, unreadCount } of watched) {
    state.set(conversationId, eventOfConversation(conversationId, unreadCount));
  }
  const stillUnread = new Set(unread.map(({ conversationId }) => conversationId));
  const read = topic.unread.filter((id) => !stillUnread.has(id));
  topic.unread = watched.map(({ conversationId }) => conversationId);
  topic.update(state, new Map(read.map((id) => [id, eventOfConversation(id, 0)])));
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
