import { MessageSender } from '../../src/modules/sending/domain/message-sender.port';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import type { PlantedBug, Sabotage } from './world';

/** Sends at the first pace that the process read. */
const firstPaceOnly: Sabotage = ({ readSender }) => {
  const first = new Map<string, Sender>();
  return {
    readSender: async (id) => {
      const sender = await readSender(id);
      if (sender && !first.has(id)) first.set(id, sender);
      return sender && { ...sender, messagesPerSecond: first.get(id)!.messagesPerSecond };
    },
  };
};

/** Sends the next message after every answer, regardless of the pace. */
const noPace: Sabotage = ({ readSender }) => ({
  readSender: async (id) => {
    const sender = await readSender(id);
    return sender && { ...sender, messagesPerSecond: sender.messagesPerSecond * 4 };
  },
});

/** Fails the recipients of a template that the platform limits. */
const limitedTemplateRefused: Sabotage = ({ messageSender }) => ({
  messageSender: new (class extends MessageSender {
    async send(...args: Parameters<MessageSender['send']>): ReturnType<MessageSender['send']> {
      const answer = await messageSender.send(...args);
      if (answer.kind !== 'throttled' || answer.scope !== 'template') return answer;
      const { message, platformCode } = answer;
      return { kind: 'refused', scope: 'recipient', problem: 'template_limited', message, platformCode };
    }
  })(),
});

/** Planted bugs of the pace. */
export const PACE_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a changed pace is never read',
    sabotage: firstPaceOnly,
    breaks: ['a sender keeps its pace'],
    scale: { repaced: 1, weathers: ['calm'], sizes: [60], paces: [3, 5, 10, 20] },
  },
  { bug: 'a lane ignores its pace', sabotage: noPace, breaks: ['a sender keeps its pace'] },
  {
    bug: 'recipients of a limited template fail',
    sabotage: limitedTemplateRefused,
    breaks: ['only refused messages fail', 'no answer is dropped'],
  },
];
