import { Registry } from 'prom-client';
import { uuidV7 } from '../../../kernel/uuid';
import type { Sender } from '../../accounts/domain/sender';
import type { Answer } from '../domain/answer';
import { MessageSender } from '../domain/message-sender.port';
import { MeasuredMessageSender } from './measured-message-sender';

/** Answers on demand. */
class HeldSender extends MessageSender {
  answer: (answer: Answer) => void = () => undefined;

  send(): Promise<Answer> {
    return new Promise((resolve) => (this.answer = resolve));
  }
}

describe('MeasuredMessageSender', () => {
  const held = new HeldSender();
  const registry = new Registry();
  const sender = new MeasuredMessageSender(held, registry);
  const send = (callbackData: string) =>
    sender.send({} as Sender, {
      to: '4915112345678',
      content: {
        kind: 'template',
        template: { name: 'promo', languageCode: 'de', category: 'Utility', components: [] },
      },
      callbackData,
      canStillSend: () => true,
    });
  const figures = () => registry.metrics();

  it('counts the request in flight, then its answer, and returns it', async () => {
    const attempt = send(`${uuidV7()}.1`);
    expect(await figures()).toContain('messaging_open_flights 1');
    held.answer({ kind: 'accepted', platformMessageId: 'wamid.1' });
    expect(await attempt).toEqual({ kind: 'accepted', platformMessageId: 'wamid.1' });
    expect(await figures()).toContain('messaging_open_flights 0');
    expect(await figures()).toContain('messaging_attempts_total{answer="accepted"} 1');
    expect(await figures()).toContain('messaging_attempt_duration_seconds_count 1');
    expect(await figures()).toContain('messaging_messages_retried_total 0');
  });

  it('counts retries, and throttles by scope', async () => {
    const attempt = send(`${uuidV7()}.2.${uuidV7()}.17`);
    held.answer({ kind: 'throttled', scope: 'pair', message: 'slow down', platformCode: 131056 });
    await attempt;
    expect(await figures()).toContain('messaging_messages_retried_total 1');
    expect(await figures()).toContain('messaging_throttled_total{scope="pair"} 1');
  });

  it('contains no personal data', async () => {
    expect(await figures()).not.toContain('4915112345678');
  });
});
