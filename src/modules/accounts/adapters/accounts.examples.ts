/** Bodies that can be sent unchanged: none disables a key or an account. */
export const CREATE_KEY_EXAMPLES = {
  sending: {
    summary: 'A key that sends and reads',
    value: { name: 'CRM production', scopes: ['messaging:send', 'messaging:read'] },
  },
  limited: {
    summary: 'A key that expires and works from some addresses only',
    value: {
      name: 'CRM trial',
      scopes: ['messaging:send'],
      expiresAt: '2030-01-31T12:00:00.000Z',
      allowedIps: ['203.0.113.7', '2001:db8::/32'],
    },
  },
};

export const CHANGE_KEY_EXAMPLES = {
  name: { summary: 'Another name', value: { name: 'CRM production' } },
  scopes: { summary: 'Other scopes', value: { scopes: ['messaging:send', 'messaging:read', 'jobs:manage'] } },
};

const SENDER = { phoneNumberId: '109876543210042', businessAccountId: '204876543210042' };

export const CREATE_ACCOUNT_EXAMPLES = {
  withSender: {
    summary: 'An account with its sender',
    value: {
      name: 'Shop GmbH',
      plan: 'Business',
      defaultCountry: 'DE',
      sender: { ...SENDER, displayPhoneNumber: '+1 555 010 0042' },
    },
  },
  plain: { summary: 'An account without a sender', value: { name: 'Shop GmbH', plan: 'Free' } },
};

export const CHANGE_ACCOUNT_EXAMPLES = {
  plan: { summary: 'Another plan', value: { plan: 'Business' } },
  pause: { summary: 'The emergency stop: sending stops within 2 s', value: { sendingPaused: true } },
  marketing: {
    summary: 'Marketing templates through the Marketing Messages API',
    value: { sender: { marketingMessagesApi: true } },
  },
  sender: {
    summary: 'Another access token, stored without checking it with the platform',
    value: { sender: { accessToken: 'EAAG-example-token' }, skipCheck: true },
  },
};
