import type { QuickReplyDto } from '../../../client/generated/types.gen';

type Reply = Pick<QuickReplyDto, 'id' | 'name' | 'text'>;

/** The quick replies with all the typed words, first those with the words in their name. */
export function matchingReplies<R extends Reply>(replies: readonly R[], typed: string): R[] {
  const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const contains = (text: string) => words.every((word) => text.toLocaleLowerCase().includes(word));
  const named = replies.filter(({ name }) => contains(name));
  const others = replies.filter(({ name, text }) => !contains(name) && contains([name, text].join(' ')));
  return [...named, ...others];
}

/** What follows `/` at the start of a one-line reply; null if it does not search for a quick reply. */
export function slashSearch(reply: string): string | null {
  return reply.startsWith('/') && !reply.includes('\n') ? reply.slice(1) : null;
}
