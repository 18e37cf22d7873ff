import { CommanderError } from 'commander';
import {
  ConnectionError,
  ForbiddenError,
  MessagingError,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
} from '../client/errors';
import { EXIT, Interrupted, UsageError } from './exit-codes';
import type { FoundKey } from './session';

/** What a failed command says, in one line (null: it was said already), and how it ends; `keyFrom`: what its key comes from. */
export function explain(
  error: unknown,
  signal: AbortSignal,
  keyFrom: () => FoundKey['from'] | undefined,
): { line: string | null; code: number } {
  if (error instanceof CommanderError) return { line: null, code: error.exitCode === 0 ? EXIT.done : EXIT.usage };
  if (error instanceof UsageError) return { line: error.message, code: EXIT.usage };
  if (error instanceof Interrupted) return { line: error.message, code: EXIT.interrupted };
  if (signal.aborted) return { line: 'Interrupted.', code: EXIT.interrupted };
  if (error instanceof UnauthorizedError && error.code === 'unauthorized')
    return { line: refusedKey(keyFrom()), code: EXIT.notAllowed };
  if (error instanceof UnauthorizedError || error instanceof ForbiddenError)
    return { line: error.message, code: EXIT.notAllowed };
  if (error instanceof ConnectionError || error instanceof UnavailableError || error instanceof RateLimitedError)
    return { line: error.message, code: EXIT.unreachable };
  if (error instanceof MessagingError) {
    const where = error.requestId ? `${error.code}, request ${error.requestId}` : error.code;
    return { line: `${error.message} (${where})`, code: EXIT.refused };
  }
  return { line: error instanceof Error ? error.message : String(error), code: EXIT.refused };
}

/** A new login helps only where nothing comes before it. */
function refusedKey(from: FoundKey['from'] | undefined): string {
  if (from === '--key' || from === 'MESSAGING_API_KEY')
    return `The service refuses the API key of ${from}. Correct it, or remove it to use that of \`messaging login\`.`;
  return 'The service refuses this API key. Log in with `messaging login`.';
}
