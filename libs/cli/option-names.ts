/** Names of the API that a message can contain, and the options that give them. */
const OPTIONS: Readonly<Record<string, string | undefined>> = {
  scheduledAt: '--at',
  timeZone: '--time-zone',
  sendWindow: '--send-window',
  templateName: '--template',
  languageCode: '--language',
  headerMediaUrl: '--media-url',
  quickReplyPayloads: '--payload',
  validForSeconds: '--valid-for',
  senderId: '--sender',
  hasHeader: '--header',
  headerRow: '--header-row',
  cellLanguage: '--cell-language',
  parameterDefaults: '--value',
  excludeGroupIds: '--exclude',
  notReachedBy: '--not-reached-by',
  errorCodes: '--codes',
  skipRetried: '--skip-retried',
  expiresAt: '--expires',
  'Idempotency-Key': '--idempotency-key',
};
/** Fields with names that are also words: renamed only at the beginning of the message about the field. */
const WORDS: Readonly<Record<string, string | undefined>> = {
  to: 'The phone number',
  columns: '--columns',
  sheet: '--sheet',
  // Other messages mean that of the account.
  defaultCountry: '--default-country',
  reference: '--reference',
};

/** Advice of the API that the command line gives in another way. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  // The command line has no media ids.
  [/Send headerMediaId or headerMediaUrl/, 'Set headerMediaUrl'],
  [/send its name as sheet\.$/, 'name it with --sheet.'],
  [/send the language of that program as cellLanguage,/, 'give the language of that program with --cell-language,'],
  [/send the row number of the header as headerRow\.$/, 'give the row of the header with --header-row.'],
  // It reads a number in any spelling.
  [/in international format, digits only: .*$/, 'with its country code, such as +49 151 12345678.'],
  [/sync the templates first\.$/, 'run `messaging templates sync` first.'],
  [/onDuplicates=onePerPerson\b/, '--one-per-person'],
];

/** What some templates need and no option gives. */
const WITHOUT_OPTION = ['headerLocation', 'headerProduct', 'offerExpiresAt', 'products', 'cards'];

/** What the template of a refused send needs and the command line cannot give; empty: nothing. */
export function withoutOption({ code, message }: { code: string; message: string }): string[] {
  if (code !== 'extras_mismatch' && code !== 'template_not_supported') return [];
  return WITHOUT_OPTION.filter((need) => new RegExp(`\\b${need} is required|\\bSend ${need} `).test(message));
}

/** A message of the API in the words of the command line; `field`: the field that it is about. */
export function inOptions(message: string, field = ''): string {
  const name = nameOf(field);
  const renamed = name && message.startsWith(`${field} `) ? name + message.slice(field.length) : message;
  return ADVICE.reduce((text, [advice, own]) => text.replace(advice, own), renamed).replace(
    /\b(?:[a-z]+[A-Z]\w*|Idempotency-Key\b)/g,
    (word) => OPTIONS[word] ?? word,
  );
}

/** A warning of the API in the words of the command line, without its code. */
export function warningText(warning: string): string {
  const text = warning.replace(/^[a-z]+(?:_[a-z]+)+: /, '');
  return inOptions(text === warning ? text : text.charAt(0).toUpperCase() + text.slice(1));
}

/** The words for a field that has no distinct name: `value 1`, `--columns: phone`. */
function nameOf(field: string): string | undefined {
  const [, index] = /^templateParameters\[(\d+)\]\.text$/.exec(field) ?? [];
  if (index !== undefined) return `Value ${Number(index) + 1}`;
  const [root = '', ...inner] = field.split('.');
  const option = WORDS[root];
  return option && [option, ...(inner.length > 0 ? [inner.join('.')] : [])].join(': ');
}
