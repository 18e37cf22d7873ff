import { Counter, type Registry } from 'prom-client';
import type { UnitOfWork } from '../../../kernel/unit-of-work';
import type { MessageOutcome, OutboundMessage } from '../domain/message';
import { MessageStore } from '../domain/message-store.port';

/** Counts committed message outcomes, for every kind of sending. */
export class MeasuredMessageStore extends MessageStore {
  private readonly accepted: Counter;
  private readonly failed: Counter<'code'>;
  private readonly unknown: Counter;

  constructor(
    private readonly store: MessageStore,
    private readonly unitOfWork: UnitOfWork,
    registry: Registry,
  ) {
    super();
    const registers = [registry];
    this.accepted = new Counter({
      name: 'messaging_messages_accepted_total',
      help: 'Messages that the platform accepted.',
      registers,
    });
    this.failed = new Counter({
      name: 'messaging_messages_failed_total',
      help: 'Messages that were never accepted, by error code.',
      labelNames: ['code'],
      registers,
    });
    this.unknown = new Counter({
      name: 'messaging_messages_unknown_total',
      help: 'Messages with an unknown outcome; most are settled later by a status.',
      registers,
    });
  }

  async save(messages: readonly OutboundMessage[], at: Date): Promise<void> {
    await this.store.save(messages, at);
    this.count(messages);
  }

  async setOutcomes(outcomes: readonly MessageOutcome[], at: Date): Promise<void> {
    await this.store.setOutcomes(outcomes, at);
    this.count(outcomes);
  }

  find(ids: readonly string[]): Promise<OutboundMessage[]> {
    return this.store.find(ids);
  }

  /** After commit, so that a retried transaction counts once and a rolled-back one not at all. */
  private count(outcomes: readonly MessageOutcome[]): void {
    const accepted = outcomes.filter(({ status }) => status === 'Sent').length;
    const others = outcomes
      .filter(({ status }) => status !== 'Sent')
      .map(({ status, problem }) => ({ status, code: problem?.code }));
    this.unitOfWork.afterCommit(() => {
      this.accepted.inc(accepted);
      for (const { status, code } of others) {
        if (status === 'Unknown') this.unknown.inc();
        else if (code !== undefined) this.failed.inc({ code });
      }
    });
  }
}
