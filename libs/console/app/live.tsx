import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { asMessagingError, connectionErrorOf, responseErrorOf } from '../api/call';
import { serverSentEvents } from '../../client/job-events';
import type { BulkJobDto } from '../../client/generated/types.gen';
import { useSession } from './session';

const STREAM = '/api/v1/messaging/events?lastMessageAt=true';
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 8000;
/** Polling interval without a stream. */
const POLL_MS = 1000;
/** Events that arrive together, such as those at the start of a stream, cause one refetch. */
const BATCH_MS = 50;

/** `live`: changes arrive by stream. `polling`: they are polled. `unavailable`: the service is not responding. */
export type Liveness = 'live' | 'polling' | 'unavailable';

/** The events of the account's stream, with their payloads. */
export interface LiveEvents {
  job: BulkJobDto;
  conversation: { conversationId: string; unreadCount: number; lastMessageAt: string };
}

type Listener = (event: keyof LiveEvents, body: never) => void;

/** The event stream of this tab. */
interface Live {
  liveness: Liveness;
  /** Calls `listener` for each event; returns the unsubscribe function. */
  listen: (listener: Listener) => () => void;
}

const LiveContext = createContext<Live | null>(null);

/** Holds the event stream of this tab: open while the tab is visible, reopened whenever it ends. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const session = useSession();
  const queries = useQueryClient();
  const [liveness, setLiveness] = useState<Liveness>('polling');
  const listeners = useRef(new Set<Listener>());
  const canStream = session.can('jobs:read');

  useEffect(() => {
    if (!canStream) return;
    let stream: AbortController | null = null;
    const follow = async (signal: AbortSignal) => {
      let wait = FIRST_WAIT_MS;
      let missed = false;
      while (!signal.aborted) {
        try {
          const body = await open(signal);
          setLiveness('live');
          // Refetch what may have changed while the stream was down.
          if (missed) void queries.invalidateQueries();
          wait = FIRST_WAIT_MS;
          for await (const { event, text } of serverSentEvents(body)) {
            const payload = JSON.parse(text) as never;
            for (const listener of listeners.current) listener(event as keyof LiveEvents, payload);
          }
        } catch (error) {
          if (signal.aborted) return;
          const { statusCode } = asMessagingError(error);
          if (statusCode === 401) return;
          setLiveness(statusCode === 0 || statusCode >= 500 ? 'unavailable' : 'polling');
        }
        missed = true;
        await sleep(wait, signal);
        wait = Math.min(wait * 2, MAX_WAIT_MS);
      }
    };
    const onVisibilityChange = () => {
      if (document.visibilityState === 'hidden') {
        stream?.abort();
        stream = null;
      } else if (!stream) {
        stream = new AbortController();
        void follow(stream.signal);
      }
    };
    onVisibilityChange();
    document.addEventListener('visibilitychange', onVisibilityChange);
    return () => {
      document.removeEventListener('visibilitychange', onVisibilityChange);
      stream?.abort();
    };
  }, [canStream, queries]);

  const live = useMemo(
    (): Live => ({
      liveness,
      listen(listener) {
        listeners.current.add(listener);
        return () => listeners.current.delete(listener);
      },
    }),
    [liveness],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}

/** Calls `handle` for each event of that kind, such as `useLive('job', (job) => …)`. */
export function useLive<E extends keyof LiveEvents>(event: E, handle: (body: LiveEvents[E]) => void): void {
  const { listen } = useLiveStream();
  const latest = useRef(handle);
  useEffect(() => {
    latest.current = handle;
  }, [handle]);
  useEffect(() => listen((payload, body) => (payload === event ? latest.current(body) : undefined)), [listen, event]);
}

/** Throttled invalidation of `key`: at once, then at most once per `everyMs`. */
export function useRefresh(key: readonly unknown[], everyMs = 500): () => void {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const isRequested = useRef(false);
  useEffect(() => () => void (timer.current && clearTimeout(timer.current)), []);
  return () => {
    if (timer.current) {
      isRequested.current = true;
      return;
    }
    const refresh = () => {
      isRequested.current = false;
      void queries.invalidateQueries({ queryKey: key });
      timer.current = setTimeout(() => {
        timer.current = null;
        if (isRequested.current) refresh();
      }, everyMs);
    };
    timer.current = setTimeout(refresh, BATCH_MS);
  };
}

/** How this tab currently receives changes. */
export function useLiveness(): Liveness {
  return useLiveStream().liveness;
}

/**
 * The `refetchInterval` of a query that the event stream covers: one second while there is no stream and the data may change,
 * otherwise false. A hidden tab does not poll.
 */
export function usePollInterval(mayChange: boolean): number | false {
  return useLiveness() !== 'live' && mayChange ? POLL_MS : false;
}

/** The event stream of this tab. */
export function useLiveStream(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error('useLive needs a LiveProvider.');
  return live;
}

async function open(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(STREAM, { signal, credentials: 'same-origin' }).catch((error: unknown) => {
    throw connectionErrorOf(error, signal);
  });
  if (!response.ok || !response.body) throw responseErrorOf(response, await response.json().catch(() => undefined));
  return response.body;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}
