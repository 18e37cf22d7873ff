/** The User-Agent of every call to the platform, which may refuse downloads of media without one. */
export const USER_AGENT = 'messaging-template-api/1.0';
