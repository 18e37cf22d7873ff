import { useState } from 'react';
import type { ConversationDto } from '../../../client/generated/types.gen';

type Listed = Pick<ConversationDto, 'id'>;

/** Ids of the conversations around the opened one. */
export interface Neighbours {
  /** The one below it; the first of the list if it is not listed. */
  next?: string;
  previous?: string;
  /** What is shown once it is done; empty: none, as it was the last one. Undefined: it stays, as it is not listed. */
  afterDone?: string;
}

/**
 * The neighbours of `id` in the shown list. `order`: the list when it was opened, as an answered conversation moves to the top and a
 * read one leaves the unread; what was loaded below it since follows.
 */
export function neighboursOf(shown: readonly Listed[], order: readonly Listed[], id: string): Neighbours {
  const at = order.findIndex((one) => one.id === id);
  if (at === -1) return { next: shown[0]?.id };
  const listed = new Set(shown.map((one) => one.id));
  const isListed = (one: Listed) => listed.has(one.id);
  const ordered = new Set(order.map((one) => one.id));
  const last = shown.findLastIndex((one) => one.id !== id && ordered.has(one.id));
  const below = last === -1 ? [] : shown.slice(last + 1);
  const next = [...order.slice(at + 1), ...below].find((one) => one.id !== id && isListed(one))?.id;
  const previous = order.slice(0, at).findLast(isListed)?.id;
  listed.delete(id);
  return { next, previous, afterDone: next ?? previous ?? (listed.size === 0 ? '' : undefined) };
}

/** A function that finds the neighbours of the opened conversation. `listKey`: identifies the shown list. */
export function useNeighbours(
  items: readonly Listed[] | undefined,
  openedId: string,
  listKey: string,
): () => Neighbours {
  const shown = items ?? [];
  const [opened, setOpened] = useState({ order: shown, id: '', listKey });
  const isNew = opened.id !== openedId || opened.listKey !== listKey;
  if (isNew && shown.some(({ id }) => id === openedId)) setOpened({ order: shown, id: openedId, listKey });
  return () => neighboursOf(shown, opened.order, openedId);
}
