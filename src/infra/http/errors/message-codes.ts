import { OWN_PROBLEMS } from '../../../kernel/message-problems';
import { knownPlatformProblems } from '../../cloud-api/error-table';

/** Every code of a failed message or recipient: the closed list of `errorCode`. */
export const MESSAGE_CODES: readonly string[] = [
  ...new Set([...Object.keys(OWN_PROBLEMS), ...knownPlatformProblems().map(({ problem }) => problem)]),
].sort();
