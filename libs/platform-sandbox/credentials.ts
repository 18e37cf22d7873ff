/** The default credentials of every sandbox: the first sender of the first business account. */
export const SANDBOX_CREDENTIALS = {
  accessToken: 'sandbox-access-token',
  phoneNumberId: '109876543210001',
  businessAccountId: '204876543210002',
  appSecret: 'sandbox-app-secret',
  verifyToken: 'sandbox-verify-token',
  appId: '300000000000001',
  displayPhoneNumber: '+49 30 900000001',
  businessPortfolioId: '306000000000003',
} as const;
