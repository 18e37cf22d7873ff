import type { AccountDraft } from '../../src/modules/accounts/domain/account';

/** An account of the plan Pro with a sender with this number, whose secrets are those of the environment unless given. */
export function draft(phoneNumberId: string, secrets: { accessToken?: string; appSecret?: string } = {}): AccountDraft {
  return {
    name: `Account ${phoneNumberId}`,
    plan: 'Pro',
    status: 'Active',
    sendingPaused: false,
    defaultCountry: 'DE',
    businessPortfolioId: null,
    sender: {
      phoneNumberId,
      businessAccountId: '200',
      displayPhoneNumber: null,
      messagesPerSecond: 80,
      messagingTier: 'Unlimited',
      accessToken: secrets.accessToken ?? null,
      appSecret: secrets.appSecret ?? null,
      marketingMessagesApi: false,
      businessPortfolioId: null,
    },
  };
}
