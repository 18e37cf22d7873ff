/** A user id of the platform: the country, then dots, letters and digits. */
const USER_ID = /^(?=.{4,150}$)[A-Z]{2}(?:\.[A-Za-z0-9]+)+$/;

/** Whether a text is a user id of the platform. */
export function isUserId(text: string): boolean {
  return USER_ID.test(text);
}

/** The rules of what a column may fill beside phone and values, as for the same field of a single send. */
const RULES: Record<string, { accepts: (text: string) => boolean; advice: string }> = {
  userId: { accepts: isUserId, advice: 'is not a user id of the platform, such as US.13491208655302741918.' },
  headerMediaId: {
    accepts: (text) => /^[\w.:-]{1,255}$/.test(text),
    advice: 'is not a media id of the platform.',
  },
  headerMediaUrl: {
    accepts: (text) => text.length <= 2_000 && /^https?:\/\/[^\s\p{Cc}\p{Cs}]+$/iu.test(text) && isUrl(text),
    advice: 'is not a URL that starts with https:// or http://, without spaces and with at most 2,000 characters.',
  },
  headerMediaFileName: {
    accepts: (text) => /^[^/\\\p{Cc}\p{Cs}]{1,240}$/u.test(text),
    advice: 'is not a file name of at most 240 characters without slashes and line breaks.',
  },
  reference: { accepts: isLineUpTo(255), advice: 'is not one line of at most 255 characters.' },
  flowToken: { accepts: isLineUpTo(255), advice: 'is not one line of at most 255 characters.' },
  quickReplyPayloads: { accepts: isLineUpTo(256), advice: 'is not one line of at most 256 characters.' },
};

/** What is wrong with the trimmed, filled text of a cell for this field, to follow "The value …"; undefined: nothing. */
export function problemOfExtra(field: string, text: string): string | undefined {
  const rule = RULES[field.split('.', 1)[0]!]!;
  return rule.accepts(text) ? undefined : rule.advice;
}

/** Not `URL.canParse`: in Node.js 20 it rejects `https://bücher.example/` once it has been called often. */
function isUrl(text: string): boolean {
  try {
    return new URL(text) !== null;
  } catch {
    return false;
  }
}

function isLineUpTo(most: number): (text: string) => boolean {
  return (text) => text.length <= most && !/[\p{Cc}\p{Cs}]/u.test(text);
}
