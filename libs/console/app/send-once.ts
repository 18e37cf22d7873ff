import { useCallback, useRef } from 'react';

interface Intention {
  of: string;
  key: string;
  running: Promise<unknown> | null;
}

/**
 * Sends each intention once. The function that it returns hands `send` a key that stays the same while `what` stays the same and
 * has not succeeded: a double click joins the request that runs, and another try after an error repeats it under the same key,
 * so that the service does nothing twice.
 */
export function useSendOnce<W, T>(send: (what: W, idempotencyKey: string) => Promise<T>): (what: W) => Promise<T> {
  const current = useRef<Intention | null>(null);
  return useCallback(
    (what: W) => {
      const of = JSON.stringify(what, fileAsText);
      const same = current.current?.of === of ? current.current : null;
      if (same?.running) return same.running as Promise<T>;
      const intention: Intention = same ?? { of, key: crypto.randomUUID(), running: null };
      current.current = intention;
      const running = send(what, intention.key).then(
        (answer) => {
          // What is sent after this is meant.
          if (current.current === intention) current.current = null;
          return answer;
        },
        (error: unknown) => {
          intention.running = null;
          throw error;
        },
      );
      intention.running = running;
      return running;
    },
    [send],
  );
}

/** JSON knows no files: two are the same one if name, size and time of change are. */
function fileAsText(_name: string, value: unknown): unknown {
  return value instanceof File ? `${value.name}|${value.size}|${value.lastModified}` : value;
}
