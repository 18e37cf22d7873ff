import type { Sender } from '../../src/modules/accounts/domain/sender';
import type { SendersService } from '../../src/modules/accounts/domain/senders.service';

/** The senders of a test, found by account and by their ids on the platform; they may change. */
export function knownSenders(senders: () => readonly Sender[]): SendersService {
  const known: Pick<SendersService, 'allOf' | 'with' | 'appSecrets'> = {
    allOf: (accountId) => Promise.resolve(senders().filter((sender) => sender.accountId === accountId)),
    with: (field, ids) => Promise.resolve(senders().filter((sender) => [...ids].includes(sender[field]))),
    appSecrets: (after, limit) =>
      Promise.resolve(
        senders()
          .filter(({ id }) => after === null || id > after)
          .slice(0, limit)
          .map(({ id, appSecret }) => ({ senderId: id, appSecret })),
      ),
  };
  return known as SendersService;
}
