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

/** Whether free-form replies are allowed. */
export function isOpen({ state }: Window): boolean {
  return state === 'open' || state === 'ends';
}

/** Display name of a person: name, phone number, username or platform id. */
export function nameOf(person: Pick<ConversationDto, 'contactName' | 'contactPhone' | 'username' | 'userId'>): string {
  return (
    person.contactName ??
    (person.contactPhone ? `+${person.contactPhone}` : (person.username ?? person.userId ?? t('Unknown', {}, 'person')))
  );
}

/** Up to two initials for an avatar; empty if the name has no words. */
export function initialsOf(name: string | null): string {
  const words = (name ?? '').split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  const picked = words.length > 1 ? [words[0]!, words.at(-1)!] : words;
  return picked.map((word) => [...word][0]!.toLocaleUpperCase()).join('');
}
