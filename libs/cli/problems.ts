import { CommanderError } from 'commander';
import {
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  MessagingError,
  type MessagingErrorCode,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
} from '../client/errors';
import { EXIT, Interrupted, UsageError } from './exit-codes';
import { storedLogin } from './login-file';
import { inOptions, withoutOption } from './option-names';
import type { FoundKey } from './session';

/** Errors whose remedy is a command, in the words of the command line. */
const OWN_WORDS: Partial<Record<MessagingErrorCode, string>> = {
  window_closed:
    'The reply window is closed: free text is only possible within 24 hours of a message from the person. Send a ' +
    'template with `messaging send`.',
  job_not_found: 'No job has this id. List your jobs with `messaging jobs list`.',
};

/** What a connection to a wrong URL or a stopped service fails with. */
const NOBODY_THERE = /\b(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN)\b/;
const CHECK_URL =
  'Check that the service is running, and its URL: `messaging login` stores one, --url and MESSAGING_URL override it.';

/** The key that a command used. */
export interface UsedKey {
  from: FoundKey['from'] | undefined;
  /** Whether the command is `messaging login`, in which case logging in is no remedy. */
  isLogin: boolean;
}

/** The message of a failed command (null: already printed), and its exit code; `usedKey`: its key. */
export function explain(error: unknown, usedKey: () => UsedKey): { line: string | null; code: number } {
  if (error instanceof CommanderError) return { line: null, code: error.exitCode === 0 ? EXIT.done : EXIT.usage };
  if (error instanceof UsageError) return { line: error.message, code: EXIT.usage };
  if (error instanceof Interrupted) return { line: error.message, code: EXIT.interrupted };
  if (error instanceof UnauthorizedError && error.code === 'unauthorized')
    return { line: rejectedKey(usedKey()), code: EXIT.notAllowed };
  if (error instanceof UnauthorizedError || error instanceof ForbiddenError)
    return { line: error.message, code: EXIT.notAllowed };
  if (error instanceof ConnectionError && NOBODY_THERE.test(error.message))
    return { line: `${error.message} ${CHECK_URL}`, code: EXIT.unreachable };
  if (error instanceof ConnectionError || error instanceof UnavailableError || error instanceof RateLimitedError)
    return { line: error.message, code: EXIT.unreachable };
  if (error instanceof MessagingError) {
    const isUsage = error instanceof InvalidRequestError && error.code === 'validation_failed';
    return { line: refusalText(error), code: isUsage ? EXIT.usage : EXIT.refused };
  }
  return { line: error instanceof Error ? error.message : String(error), code: EXIT.refused };
}

/** The message of the service in the words of the command line; several errors of fields, each on its own line. */
function refusalText(error: MessagingError): string {
  const { code, errors, requestId, message } = error;
  const where = requestId ? `${code}, request ${requestId}` : code;
  const [first] = errors;
  const needs = (errors.length > 0 ? errors : [error]).flatMap((each) =>
    withoutOption({ code, message: each.message }),
  );
  if (needs.length > 0) {
    const reason = `The template needs ${needs.join(', ')}, which the command line does not have`;
    return `${reason}: send it with the API, such as POST /send-template. (${where})`;
  }
  // The errors of rows are those of a file, which its check has shown.
  if (errors.length < 2 || first!.rowNumber !== undefined)
    return `${OWN_WORDS[code] ?? inOptions(message, first?.field)} (${where})`;
  const lines = errors.map((each) => `  ${inOptions(each.message, each.field)}`);
  return [`The request has ${errors.length} errors (${where}):`, ...lines].join('\n');
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
