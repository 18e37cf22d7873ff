/** The User-Agent of every outgoing call; the platform may refuse media downloads without one. */
export const USER_AGENT = 'messaging-template-api/1.0';
