import type { Sender } from '../../src/modules/accounts/domain/sender';
import type { PlantedBug, Sabotage } from './world';

/** A process sends at the pace that it read first. */
const firstPaceForEver: Sabotage = ({ readSender }) => {
  const first = new Map<string, Sender>();
  return {
    readSender: async (id) => {
      const sender = await readSender(id);
      if (sender && !first.has(id)) first.set(id, sender);
      return sender && { ...sender, messagesPerSecond: first.get(id)!.messagesPerSecond };
    },
  };
};

/** Every answer lets another message go: the pace is not looked at. */
const noPace: Sabotage = ({ readSender }) => ({
  readSender: async (id) => {
    const sender = await readSender(id);
    return sender && { ...sender, messagesPerSecond: sender.messagesPerSecond * 4 };
  },
});

/** Bugs of the pace of senders. */
export const PACE_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a changed pace is not read again',
    sabotage: firstPaceForEver,
    breaks: ['a sender keeps its pace'],
    scale: { repaced: 1, weathers: ['calm'], sizes: [60], paces: [3, 5, 10, 20] },
  },
  { bug: 'a lane does not keep its pace', sabotage: noPace, breaks: ['a sender keeps its pace'] },
];
