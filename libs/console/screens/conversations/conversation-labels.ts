import type { ConversationDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { duration } from '../../ui/format';

const HOUR_MS = 3_600_000;

/** The state of the 24-hour reply window. */
export interface Window {
  /** `ends`: closes within the hour. `never`: the person has not sent a message yet. */
  state: 'open' | 'ends' | 'closed' | 'never';
  /** Such as “23 h 41 min left”. */
  label: string;
  /** The remaining time, such as “23 h 41 min”; empty unless open. */
  left: string;
}

/** The reply window of a conversation at `now`. */
export function windowOf({ windowExpiresAt }: Pick<ConversationDto, 'windowExpiresAt'>, now: Date): Window {
  if (windowExpiresAt === null) return { state: 'never', label: t('No messages received'), left: '' };
  const left = Date.parse(windowExpiresAt) - now.getTime();
  if (left <= 0) return { state: 'closed', label: t('Reply window closed'), left: '' };
  const time = duration(left / 1000);
  return { state: left < HOUR_MS ? 'ends' : 'open', label: t('{time} left', { time }), left: time };
}

/** How long the person has waited for a reply at `now`; empty if that is not known. */
export function waitedFor({ waitingSince }: Pick<ConversationDto, 'waitingSince'>, now: Date): string {
  if (waitingSince === undefined) return '';
  return t('waiting {time}', { time: duration((now.getTime() - Date.parse(waitingSince)) / 1000) });
}

/** Whether free-form replies are allowed. */
export function isOpen({ state }: Window): boolean {
  return state === 'open' || state === 'ends';
}

/** The names that several of these people have. */
export function sharedNames(people: readonly Pick<ConversationDto, 'contactName'>[]): ReadonlySet<string | null> {
  const once = new Set<string>();
  const shared = new Set<string>();
  for (const { contactName } of people) {
    if (contactName !== null) (once.has(contactName) ? shared : once).add(contactName);
  }
  return shared;
}

/** Up to two initials for an avatar; empty if the name has no words. */
export function initialsOf(name: string | null): string {
  const words = (name ?? '').split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  const picked = words.length > 1 ? [words[0]!, words.at(-1)!] : words;
  return picked.map((word) => [...word][0]!.toLocaleUpperCase()).join('');
}
