/** The User-Agent of every call that this service makes; the platform may refuse downloads of media without one. */
export const USER_AGENT = 'messaging-template-api/1.0';
