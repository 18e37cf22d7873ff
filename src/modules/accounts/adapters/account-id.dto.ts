/** The path parameter of an account, for the OpenAPI document. */
export const ACCOUNT_ID = {
  name: 'accountId',
  description: 'Id of an account.',
  format: 'uuid',
  example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
};
