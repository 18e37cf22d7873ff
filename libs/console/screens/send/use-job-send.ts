import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { CreatedJobDto } from '../../../client/generated/types.gen';
import { useSendOnce } from '../../app/send-once';
import { counted } from '../../ui/format';
import { sayDone } from '../../ui/toast';

/** How a send goes that makes a job. */
export interface JobSend<W> {
  /** Sends once, however often it is called for the same thing, and goes to the job. */
  send: (what: W) => void;
  sending: boolean;
  error: unknown;
}

/** Makes a job of `what` with `request`, and opens it; leaving the screen before the answer breaks an upload off. */
export function useJobSend<W>(
  request: (what: W, idempotencyKey: string, signal: AbortSignal) => Promise<CreatedJobDto>,
): JobSend<W> {
  const [, navigate] = useLocation();
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  const once = useSendOnce(
    useCallback(
      (what: W, key: string) => request(what, key, leaving.current?.signal ?? AbortSignal.abort()),
      [request],
    ),
  );
  const send = useCallback(
    (what: W) => {
      setSending(true);
      setError(null);
      once(what).then(
        ({ jobId, totalRecipients, status }) => {
          sayDone(
            status === 'Paused' ? 'The job is created and on hold' : 'The job is created',
            counted(totalRecipients, 'recipient'),
          );
          navigate(`/jobs/${jobId}`);
        },
        (thrown: unknown) => {
          if (leaving.current?.signal.aborted) return;
          setError(thrown);
          setSending(false);
        },
      );
    },
    [once, navigate],
  );
  return { send, sending, error };
}
