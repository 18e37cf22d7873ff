import type { ConversationDto } from '../../../client/generated/types.gen';
import { duration } from '../../ui/format';

const HOUR_MS = 3_600_000;

/** Where the 24 hours stand in which somebody may be written to freely. */
export interface Window {
  /** `ends`: within the hour. `never`: the person has not written yet. */
  state: 'open' | 'ends' | 'closed' | 'never';
  words: string;
}

/** What the window of a conversation is at this moment. */
export function windowOf({ windowExpiresAt }: Pick<ConversationDto, 'windowExpiresAt'>, now: Date): Window {
  if (windowExpiresAt === null) return { state: 'never', words: 'Never wrote' };
  const left = Date.parse(windowExpiresAt) - now.getTime();
  if (left <= 0) return { state: 'closed', words: 'Window closed' };
  return { state: left < HOUR_MS ? 'ends' : 'open', words: `${duration(left / 1000)} left` };
}

/** Whether the person may be written to freely. */
export function isOpen({ state }: Window): boolean {
  return state === 'open' || state === 'ends';
}

/** What to call somebody: the name, else the number, else what the platform calls them. */
export function nameOf(person: Pick<ConversationDto, 'contactName' | 'contactPhone' | 'username' | 'userId'>): string {
  return (
    person.contactName ??
    (person.contactPhone ? `+${person.contactPhone}` : (person.username ?? person.userId ?? 'Somebody'))
  );
}

/** Up to two letters for the picture of somebody who has none; a number has none. */
export function initialsOf(name: string | null): string {
  const words = (name ?? '').split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  const picked = words.length > 1 ? [words[0]!, words.at(-1)!] : words;
  return picked.map((word) => [...word][0]!.toLocaleUpperCase()).join('');
}
