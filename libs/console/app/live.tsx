import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { asMessagingError, connectionErrorOf, onUnreachable, responseErrorOf } from '../api/call';
import { serverSentEvents } from '../../client/job-events';
import type { BulkJobDto } from '../../client/generated/types.gen';
import { useSession } from './session';

const STREAM = '/api/v1/messaging/events?lastMessageAt=true';
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 8000;
/** A stream that seems open while a request gets no response is opened again, no more often than this. */
const REOPEN_MS = 5000;
/** Polling interval without a stream. */
const POLL_MS = 1000;
/** Events that arrive together, such as those at the start of a stream, cause one refetch. */
const BATCH_MS = 50;

/** The time from its first event in which a stream sends the states with which it starts. */
const START_MS = 2000;
/** A first event that comes this long after the response is a change. */
const LATEST_START_MS = 10_000;

/** `live`: changes arrive by stream. `polling`: they are polled. `unavailable`: the service is not responding. `offline`: there is no network. */
export type Liveness = 'live' | 'polling' | 'unavailable' | 'offline';

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
  const [state, setState] = useState<Exclude<Liveness, 'offline'>>('polling');
  const isOnline = useSyncExternalStore(onNetworkChange, () => navigator.onLine);
  const liveness = isOnline ? state : 'offline';
  const hasMissed = useRef(false);
  const listeners = useRef(new Set<Listener>());
  const canStream = session.can('jobs:read');

  useEffect(() => {
    if (!canStream) return;
    if (!isOnline) {
      hasMissed.current = true;
      // Back online, the interruption is not over until a stream is open.
      setState('unavailable');
      return;
    }
    let stream: AbortController | null = null;
    let startedAt = 0;
    const follow = async (signal: AbortSignal) => {
      let wait = FIRST_WAIT_MS;
      while (!signal.aborted) {
        try {
          const body = await open(signal);
          setState('live');
          // Refetch what may have changed while the stream was down.
          if (hasMissed.current) void queries.invalidateQueries();
          hasMissed.current = false;
          wait = FIRST_WAIT_MS;
          for await (const { event, text } of serverSentEvents(body)) {
            const payload = JSON.parse(text) as never;
            for (const listener of listeners.current) listener(event as keyof LiveEvents, payload);
          }
        } catch (error) {
          if (signal.aborted) return;
          const { statusCode } = asMessagingError(error);
          if (statusCode === 401) return;
          setState(statusCode === 0 || statusCode >= 500 ? 'unavailable' : 'polling');
        }
        hasMissed.current = true;
        await sleep(wait, signal);
        wait = Math.min(wait * 2, MAX_WAIT_MS);
      }
    };
    const start = () => {
      startedAt = Date.now();
      stream = new AbortController();
      void follow(stream.signal);
    };
    const onVisibilityChange = () => {
      if (document.visibilityState === 'hidden') {
        stream?.abort();
        stream = null;
      } else if (!stream) start();
    };
    onVisibilityChange();
    document.addEventListener('visibilitychange', onVisibilityChange);
    const stopListening = onUnreachable(() => {
      if (!stream || Date.now() - startedAt < REOPEN_MS) return;
      hasMissed.current = true;
      stream.abort();
      start();
    });
    return () => {
      stopListening();
      document.removeEventListener('visibilitychange', onVisibilityChange);
      stream?.abort();
    };
  }, [canStream, isOnline, queries]);

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

/** Returns whether the stream started just now: its events may be states that are known, not changes. Call it before `useLive`. */
export function useIsStarting(): () => boolean {
  const { liveness, listen } = useLiveStream();
  const isLive = liveness === 'live';
  const startedAt = useRef(isLive ? 0 : Infinity);
  useEffect(() => {
    if (!isLive) {
      startedAt.current = Infinity;
      return;
    }
    // A busy service sends the first states late.
    const latest = Date.now() + LATEST_START_MS;
    return listen(() => {
      if (startedAt.current === Infinity) startedAt.current = Math.min(Date.now(), latest);
    });
  }, [isLive, listen]);
  return () => Date.now() - startedAt.current < START_MS;
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

/** Whether there is no network, or the service is not responding. */
export function useIsInterrupted(): boolean {
  const liveness = useLiveness();
  return liveness === 'offline' || liveness === 'unavailable';
}

/**
 * The `refetchInterval` of a query that the event stream covers: one second while there is no stream and the data may change,
 * otherwise, and without a network, false. A hidden tab does not poll.
 */
export function usePollInterval(mayChange: boolean): number | false {
  const liveness = useLiveness();
  return liveness !== 'live' && liveness !== 'offline' && mayChange ? POLL_MS : false;
}

/** The event stream of this tab. */
export function useLiveStream(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error('useLive needs a LiveProvider.');
  return live;
}

function onNetworkChange(notify: () => void): () => void {
  addEventListener('online', notify);
  addEventListener('offline', notify);
  return () => {
    removeEventListener('online', notify);
    removeEventListener('offline', notify);
  };
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
