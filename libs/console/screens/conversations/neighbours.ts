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

/** The neighbours of `id` in the shown list. `order`: the list when it last contained `id`, which may have left it since. */
export function neighboursOf(shown: readonly Listed[], order: readonly Listed[], id: string): Neighbours {
  const at = order.findIndex((one) => one.id === id);
  if (at === -1) return { next: shown[0]?.id };
  const listed = new Set(shown.map((one) => one.id));
  const isListed = (one: Listed) => listed.has(one.id);
  const next = order.slice(at + 1).find(isListed)?.id;
  const previous = order.slice(0, at).findLast(isListed)?.id;
  listed.delete(id);
  return { next, previous, afterDone: next ?? previous ?? (listed.size === 0 ? '' : undefined) };
}

/** A function that finds the neighbours of the opened conversation, also after it has left the list, as a read one leaves the unread. */
export function useNeighbours(items: readonly Listed[] | undefined, openedId: string): () => Neighbours {
  const shown = items ?? [];
  const [order, setOrder] = useState(shown);
  if (shown !== order && shown.some(({ id }) => id === openedId)) setOrder(shown);
  return () => neighboursOf(shown, order, openedId);
}
