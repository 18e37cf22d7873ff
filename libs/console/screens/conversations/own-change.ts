import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { queryKeys } from '../../api/query-keys';
import { type LiveEvents, useLiveStream } from '../../app/live';

/** The time in which the stream reports a change, in milliseconds. */
const EVENT_MS = 2000;

/**
 * Starts a change of a conversation by this tab; the returned function ends it. What it affects is refetched once: by the event that
 * reports it, or here without a stream and for conversations that the stream does not watch.
 */
export function useOwnChange(conversationId: string): () => () => void {
  const queries = useQueryClient();
  const { liveness, listen } = useLiveStream();
  return useCallback(() => {
    let isReported = false;
    const stop = listen((event, body: LiveEvents['conversation']) => {
      isReported ||= event === 'conversation' && body.conversationId === conversationId;
    });
    const end = () => {
      stop();
      if (isReported) return;
      const { one, messages } = queryKeys.conversation;
      for (const queryKey of [one(conversationId), messages(conversationId), queryKeys.conversations.all]) {
        void queries.invalidateQueries({ queryKey });
      }
    };
    return () => void setTimeout(end, liveness === 'live' ? EVENT_MS : 0);
  }, [conversationId, listen, liveness, queries]);
}
