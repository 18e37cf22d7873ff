/** The longest user id, in characters. */
export const USER_ID_LENGTH = 150;

/**
 * The platform's id of a person for one business portfolio, such as `DE.1349…`: the country, then dots, letters and digits. Ids of
 * linked portfolios begin with `ENT.` after the country.
 */
export const USER_ID = /^(?=.{4,150}$)[A-Z]{2}(?:\.[A-Za-z0-9]+)+$/;

/** Whether a text is a user id; phone numbers never are. */
export function isUserId(text: string): boolean {
  return USER_ID.test(text);
}
