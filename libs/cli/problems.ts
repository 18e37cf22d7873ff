import { CommanderError } from 'commander';
import {
  ConnectionError,
  ForbiddenError,
  MessagingError,
  type MessagingErrorCode,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
} from '../client/errors';
import { EXIT, Interrupted, UsageError } from './exit-codes';
import { storedLogin } from './login-file';
import type { FoundKey } from './session';

/** Errors whose remedy is a command, in the words of the command line. */
const OWN_WORDS: Partial<Record<MessagingErrorCode, string>> = {
  window_closed:
    'The reply window is closed: free text is only possible within 24 hours of a message from the person. Send a ' +
    'template with `messaging send`.',
  job_not_found: 'No job has this id. List your jobs with `messaging jobs list`.',
};

/** Fields of the API that a message can name, and the options that give them. */
const OPTIONS: Readonly<Record<string, string | undefined>> = {
  scheduledAt: '--at',
  timeZone: '--time-zone',
  sendWindow: '--send-window',
  headerMediaUrl: '--media-url',
  quickReplyPayloads: '--payload',
  validForSeconds: '--valid-for',
  senderId: '--sender',
  expiresAt: '--expires',
};

/** The key that a command used. */
export interface UsedKey {
  from: FoundKey['from'] | undefined;
  /** Whether the command is `messaging login`, in which case logging in is no remedy. */
  isLogin: boolean;
}

/** The message of a failed command on one line (null: already printed), and its exit code; `usedKey`: its key. */
export function explain(
  error: unknown,
  signal: AbortSignal,
  usedKey: () => UsedKey,
): { line: string | null; code: number } {
  if (error instanceof CommanderError) return { line: null, code: error.exitCode === 0 ? EXIT.done : EXIT.usage };
  if (error instanceof UsageError) return { line: error.message, code: EXIT.usage };
  if (error instanceof Interrupted) return { line: error.message, code: EXIT.interrupted };
  if (signal.aborted) return { line: 'Interrupted.', code: EXIT.interrupted };
  if (error instanceof UnauthorizedError && error.code === 'unauthorized')
    return { line: rejectedKey(usedKey()), code: EXIT.notAllowed };
  if (error instanceof UnauthorizedError || error instanceof ForbiddenError)
    return { line: error.message, code: EXIT.notAllowed };
  if (error instanceof ConnectionError || error instanceof UnavailableError || error instanceof RateLimitedError)
    return { line: error.message, code: EXIT.unreachable };
  if (error instanceof MessagingError) {
    const where = error.requestId ? `${error.code}, request ${error.requestId}` : error.code;
    const message = error.message.replace(/\b[a-z]+[A-Z]\w*/g, (name) => OPTIONS[name] ?? name);
    return { line: `${OWN_WORDS[error.code] ?? message} (${where})`, code: EXIT.refused };
  }
  return { line: error instanceof Error ? error.message : String(error), code: EXIT.refused };
}

/** The remedy: a login helps only if no other key takes precedence. */
function rejectedKey({ from, isLogin }: UsedKey): string {
  if (from === '--key' || from === 'MESSAGING_API_KEY') {
    const text = `The service rejected the API key given ${from === '--key' ? 'with' : 'in'} ${from}. Correct it`;
    const isNext = from === 'MESSAGING_API_KEY' || !process.env.MESSAGING_API_KEY;
    const hint = !isLogin && isNext && storedLogin() ? ', or remove it to use the key of `messaging login`' : '';
    return `${text}${hint}.`;
  }
  return `The service rejected this API key.${isLogin ? '' : ' Log in with `messaging login`.'}`;
}
