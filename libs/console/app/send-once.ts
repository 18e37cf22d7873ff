import { useCallback, useRef } from 'react';

interface PendingSend {
  inputKey: string;
  key: string;
  running: Promise<unknown> | null;
}

/**
 * Wraps `send` so that each input is sent once. The idempotency key stays the same until the input changes or the request
 * succeeds: a double click joins the pending request, and a retry after an error reuses the key, so the service never
 * processes the input twice.
 */
export function useSendOnce<W, T>(send: (input: W, idempotencyKey: string) => Promise<T>): (input: W) => Promise<T> {
  const current = useRef<PendingSend | null>(null);
  return useCallback(
    (input: W) => {
      const inputKey = JSON.stringify(input, serializeFile);
      const same = current.current?.inputKey === inputKey ? current.current : null;
      if (same?.running) return same.running as Promise<T>;
      const pending: PendingSend = same ?? { inputKey, key: crypto.randomUUID(), running: null };
      current.current = pending;
      const running = send(input, pending.key).then(
        (answer) => {
          // The same input sent again later is a new request.
          if (current.current === pending) current.current = null;
          return answer;
        },
        (error: unknown) => {
          pending.running = null;
          throw error;
        },
      );
      pending.running = running;
      return running;
    },
    [send],
  );
}

/** Identifies files by name, size and modification time, as JSON cannot represent them. */
function serializeFile(_name: string, value: unknown): unknown {
  return value instanceof File ? `${value.name}|${value.size}|${value.lastModified}` : value;
}
