import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { labelledCounter } from '../../../infra/metrics/labelled-counter';
import type { Sender } from '../../accounts/domain/sender';
import type { Answer } from '../domain/answer';
import { readAttemptTrace } from '../domain/attempt-trace';
import { MessageSender } from '../domain/message-sender.port';
import type { OutgoingMessage } from '../domain/outgoing-message';

const BUCKETS = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60];

/** Counts the attempts of the wrapped sender, and the platform's answers. */
export class MeasuredMessageSender extends MessageSender {
  private readonly open: Gauge;
  private readonly answers: Counter<'answer'>;
  private readonly throttles: Counter<'scope'>;
  private readonly retries: Counter;
  private readonly durations: Histogram;

  constructor(
    private readonly sender: MessageSender,
    registry: Registry,
  ) {
    super();
    const registers = [registry];
    this.open = new Gauge({
      name: 'messaging_open_flights',
      help: 'Requests of this process in flight.',
      registers,
    });
    this.answers = labelledCounter(registry, {
      name: 'messaging_attempts_total',
      help: 'Attempts by result: accepted, refused, throttled, outage, not_sent or unknown.',
      label: 'answer',
      values: ['accepted', 'refused', 'throttled', 'outage', 'not_sent', 'unknown'],
    });
    this.throttles = labelledCounter(registry, {
      name: 'messaging_throttled_total',
      help: 'Attempts throttled by the platform, by scope: pace, pair, template, templates or account.',
      label: 'scope',
      values: ['pace', 'pair', 'template', 'templates', 'account'],
    });
    this.retries = new Counter({
      name: 'messaging_messages_retried_total',
      help: 'Attempts after the first one of a message.',
      registers,
    });
    this.durations = new Histogram({
      name: 'messaging_attempt_duration_seconds',
      help: "Time from the attempt to the platform's response or the timeout.",
      buckets: BUCKETS,
      registers,
    });
  }

  async send(sender: Sender, message: OutgoingMessage): Promise<Answer> {
    if ((readAttemptTrace(message.callbackData)?.attempt ?? 1) > 1) this.retries.inc();
    this.open.inc();
    // The library's timer copies its labels each time it ends.
    const startedAt = performance.now();
    try {
      const answer = await this.sender.send(sender, message);
      this.answers.inc({ answer: answer.kind });
      if (answer.kind === 'throttled') this.throttles.inc({ scope: answer.scope });
      return answer;
    } finally {
      this.durations.observe((performance.now() - startedAt) / 1000);
      this.open.dec();
    }
  }
}
