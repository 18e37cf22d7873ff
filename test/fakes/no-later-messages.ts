import { LaterMessages } from '../../src/modules/chat-history/domain/later-messages';

/** Later messages of an account to which people have not written since their opt-outs. */
export function noLaterMessages(): LaterMessages {
  return { since: () => Promise.resolve(null) } as Partial<LaterMessages> as LaterMessages;
}
