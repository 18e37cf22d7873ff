import { useSyncExternalStore } from 'react';
import type { ConversationDto } from '../../../client/generated/types.gen';
import { useNow } from '../../ui/now';
import { type Window, windowOf } from './conversation-labels';

type Windowed = Pick<ConversationDto, 'id' | 'windowExpiresAt'>;

/** By conversation, the end of the window in which WhatsApp refused a reply of this tab; a new message of the person opens another. */
const refusedUntil = new Map<string, string | null>();
const listeners = new Set<() => void>();

/** Remembers in this tab that the platform, which decides, found the reply window closed. */
export function rememberRefusal({ id, windowExpiresAt }: Windowed): void {
  refusedUntil.set(id, windowExpiresAt);
  for (const listener of listeners) listener();
}

/** The reply window of a conversation now: closed where a reply `isRefused`, until the person writes again. */
export function useReplyWindow(conversation: Windowed): Window & { isRefused: boolean } {
  const { id, windowExpiresAt } = conversation;
  const now = useNow();
  const isRefused = useSyncExternalStore(subscribe, () => refusedUntil.get(id)) === windowExpiresAt;
  return { ...windowOf(isRefused ? { windowExpiresAt: now.toISOString() } : conversation, now), isRefused };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
