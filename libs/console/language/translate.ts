import { IntlMessageFormat, type PrimitiveType } from 'intl-messageformat';
import { Children, type ReactNode } from 'react';

/** The messages of a language. */
export interface Catalog {
  language: string;
  direction: string;
  /** By the English message, in ICU message syntax; `context | message` where one English message has several meanings. */
  messages: Readonly<Record<string, string>>;
}

/** What a message mentions: `{name}`, `{count, number}`, `{count, plural, one {# message} other {# messages}}`. */
type Values = Readonly<Record<string, PrimitiveType>>;
/** Elements for the tags of a message: `Read <a>the guide</a>`. */
type RichValues = Readonly<Record<string, ReactNode | PrimitiveType | ((text: ReactNode[]) => ReactNode)>>;

let messages: Catalog['messages'] = {};
let usedLocale = 'en-GB';
let formats = new Map<string, IntlMessageFormat>();

/** Sets the language of all further translations; null: English. `locale` formats their numbers and dates. */
export function setCatalog(catalog: Catalog | null, locale: string): void {
  messages = catalog?.messages ?? {};
  usedLocale = locale;
  formats = new Map();
}

/** The locale of numbers and dates: the browser's, in the language of the console. */
export function locale(): string {
  return usedLocale;
}

/**
 * An English message in the language of the console. Without `values` it is plain text, with them it is in ICU message syntax. `context` separates
 * meanings of one English message: `t('Open', {}, 'state of a conversation')`.
 */
export function t(message: string, values?: Values, context?: string): string {
  const text = translated(message, context);
  return values && Object.keys(values).length > 0 ? String(formatOf(text).format(values)) : text;
}

/** Like `t`, with elements in the message. */
export function rich(message: string, values: RichValues, context?: string): ReactNode {
  const parts = formatOf(translated(message, context)).format<ReactNode>(values as Record<string, ReactNode>);
  return Array.isArray(parts) ? Children.toArray(parts) : parts;
}

function translated(message: string, context?: string): string {
  return messages[context ? `${context} | ${message}` : message] ?? message;
}

function formatOf(text: string): IntlMessageFormat {
  let format = formats.get(text);
  if (!format) {
    format = new IntlMessageFormat(text, usedLocale);
    formats.set(text, format);
  }
  return format;
}
