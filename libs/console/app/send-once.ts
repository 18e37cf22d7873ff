import { useCallback, useEffect, useRef, useState } from 'react';
import { asMessagingError } from '../api/call';
import { readDraft, writeDraft } from './drafts';
import { holdSend } from './pending-sends';

interface PendingSend {
  inputKey: string;
  key: string;
  running: Promise<unknown> | null;
}

/**
 * Wraps `send` so that each input is sent once. The idempotency key stays the same until the input changes, the request succeeds or its
 * message has failed: a double click joins the pending request, and a retry after any other error reuses the key, so the service never
 * processes the input twice. With the `place` of a draft this also holds for what is sent from the restored draft, and leaving the form
 * meanwhile says so. `pauseSignal` of `call` is aborted when the form is left: what waits for a rate limit is not sent later.
 */
export function useSendOnce<W, T>(
  send: (input: W, idempotencyKey: string, pauseSignal?: AbortSignal) => Promise<T>,
  place?: string,
): (input: W) => Promise<T> {
  // Read on mount: the answer to a send of the form shown before may remove it while the restored draft is still shown.
  const [earlier] = useState(() => (place === undefined ? null : keptSend(place)));
  const current = useRef<PendingSend | null>(earlier && { ...earlier, running: null });
  const shown = useRef<AbortController | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    shown.current = controller;
    return () => controller.abort();
  }, []);
  return useCallback(
    (input: W) => {
      const forget = (settled: PendingSend) => {
        if (current.current === settled) current.current = null;
        if (place !== undefined && keptSend(place)?.key === settled.key) forgetSend(place);
      };
      const inputKey = JSON.stringify(input, serializeFile);
      const same = current.current?.inputKey === inputKey ? current.current : null;
      if (same?.running) return same.running as Promise<T>;
      const pending: PendingSend = same ?? { inputKey, key: crypto.randomUUID(), running: null };
      current.current = pending;
      if (place !== undefined) writeDraft(besideDraft(place), { inputKey, key: pending.key });
      const release = place === undefined ? undefined : holdSend(place);
      const running = send(input, pending.key, shown.current?.signal).then(
        (answer) => {
          release?.();
          // The same input sent again later is a new request.
          forget(pending);
          return answer;
        },
        (error: unknown) => {
          release?.();
          pending.running = null;
          // The message exists and has failed. The service keeps that answer with the key: the same input is a new message.
          if (asMessagingError(error).details.messageId !== undefined) forget(pending);
          throw error;
        },
      );
      pending.running = running;
      return running;
    },
    [send, place],
  );
}

/** Forgets the send that is kept with the draft at `place`. */
export function forgetSend(place: string): void {
  writeDraft(besideDraft(place), null);
}

function keptSend(place: string): Omit<PendingSend, 'running'> | null {
  return readDraft(besideDraft(place)) as Omit<PendingSend, 'running'> | null;
}

function besideDraft(place: string): string {
  return `${place}.send`;
}

/** Identifies files by name, size and modification time, as JSON cannot represent them. */
function serializeFile(_name: string, value: unknown): unknown {
  return value instanceof File ? `${value.name}|${value.size}|${value.lastModified}` : value;
}
