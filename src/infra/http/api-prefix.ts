/** The prefix of every API path. */
export const API_PREFIX = 'api/v1/messaging';
