import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { CreatedJobDto } from '../../../client/generated/types.gen';
import { useSendOnce } from '../../app/send-once';
import { t } from '../../language/translate';
import { showToast } from '../../ui/toast';

/** The state of a send that creates a job. */
export interface JobSend<W> {
  /** Sends an input once, even if called repeatedly, then opens the job with a toast that contains `summary`. */
  send: (input: W, summary: string) => void;
  sending: boolean;
  error: unknown;
}

/**
 * Creates a job with `request`, calls `onSent` and opens the job. Leaving the screen before the response aborts the upload. `place`: of
 * the draft.
 */
export function useJobSend<W>(
  request: (input: W, idempotencyKey: string, signal: AbortSignal) => Promise<CreatedJobDto>,
  onSent: () => void,
  place: string,
): JobSend<W> {
  const [, navigate] = useLocation();
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const lifetime = useRef<AbortController | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    lifetime.current = controller;
    return () => controller.abort();
  }, []);
  const once = useSendOnce(
    useCallback(
      (input: W, key: string) => request(input, key, lifetime.current?.signal ?? AbortSignal.abort()),
      [request],
    ),
    place,
  );
  const send = useCallback(
    (input: W, summary: string) => {
      setSending(true);
      setError(null);
      once(input).then(
        ({ jobId, status }) => {
          onSent();
          if (lifetime.current?.signal.aborted) return;
          showToast(
            status === 'Paused'
              ? t('Job created on hold')
              : status === 'Scheduled'
                ? t('Job scheduled')
                : t('Job created'),
            summary,
          );
          navigate(`/jobs/${jobId}`);
        },
        (thrown: unknown) => {
          if (lifetime.current?.signal.aborted) return;
          setError(thrown);
          setSending(false);
        },
      );
    },
    [once, navigate, onSent],
  );
  return { send, sending, error };
}
