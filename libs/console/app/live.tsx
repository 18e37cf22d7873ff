import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { asMessagingError, notReached, refused } from '../api/call';
import { serverSentEvents } from '../../client/job-events';
import type { BulkJobDto } from '../../client/generated/types.gen';
import { useSession } from './session';

const STREAM = '/api/v1/messaging/events';
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 8000;
/** A poll, where there is no stream. */
const POLL_MS = 1000;

/** `live`: changes come as they happen. `polls`: they are asked for. `away`: the service does not answer. */
export type Liveness = 'live' | 'polls' | 'away';

/** What the stream of the account tells. */
export interface LiveEvents {
  job: BulkJobDto;
  conversation: { conversationId: string; unreadCount: number };
}

type Listener = (event: keyof LiveEvents, body: never) => void;

interface Live {
  liveness: Liveness;
  listen: (listener: Listener) => () => void;
}

const LiveContext = createContext<Live | null>(null);

/** The one stream of events of this tab: open while somebody looks at it, opened again after each end. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const session = useSession();
  const queries = useQueryClient();
  const [liveness, setLiveness] = useState<Liveness>('polls');
  const listeners = useRef(new Set<Listener>());
  const mayWatch = session.can('jobs:read');

  useEffect(() => {
    if (!mayWatch) return;
    let watch: AbortController | null = null;
    const follow = async (signal: AbortSignal) => {
      let wait = FIRST_WAIT_MS;
      let missed = false;
      while (!signal.aborted) {
        try {
          const body = await open(signal);
          setLiveness('live');
          // What changed while there was no stream is read once more.
          if (missed) await queries.invalidateQueries();
          wait = FIRST_WAIT_MS;
          for await (const { event, text } of serverSentEvents(body)) {
            const told = JSON.parse(text) as never;
            for (const listener of listeners.current) listener(event as keyof LiveEvents, told);
          }
        } catch (error) {
          if (signal.aborted) return;
          const { statusCode } = asMessagingError(error);
          if (statusCode === 401) return;
          setLiveness(statusCode === 0 || statusCode >= 500 ? 'away' : 'polls');
        }
        missed = true;
        await pause(wait, signal);
        wait = Math.min(wait * 2, LONGEST_WAIT_MS);
      }
    };
    const look = () => {
      if (document.visibilityState === 'hidden') {
        watch?.abort();
        watch = null;
      } else if (!watch) {
        watch = new AbortController();
        void follow(watch.signal);
      }
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      watch?.abort();
    };
  }, [mayWatch, queries]);

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
  const { listen } = useLiveContext();
  const latest = useRef(handle);
  useEffect(() => {
    latest.current = handle;
  }, [handle]);
  useEffect(() => listen((told, body) => (told === event ? latest.current(body) : undefined)), [listen, event]);
}

/** How this tab learns of changes. */
export function useLiveness(): Liveness {
  return useLiveContext().liveness;
}

/**
 * The `refetchInterval` of a query that events cover: a poll of a second while there is no stream and something `moves`.
 * A hidden tab asks nothing.
 */
export function usePolls(moves: boolean): number | false {
  return useLiveness() !== 'live' && moves ? POLL_MS : false;
}

function useLiveContext(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error('There is no stream around this.');
  return live;
}

async function open(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(STREAM, { signal, credentials: 'same-origin' }).catch((error: unknown) => {
    throw notReached(error, signal);
  });
  if (!response.ok || !response.body) throw refused(response, await response.json().catch(() => undefined));
  return response.body;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}
