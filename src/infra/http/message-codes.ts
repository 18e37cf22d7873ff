import { OWN_PROBLEMS } from '../../kernel/message-problems';
import { knownPlatformProblems } from '../cloud-api/error-table';

/** Every code with which a message, or a recipient of a job, fails: the closed list of `errorCode`. */
export const MESSAGE_CODES: readonly string[] = [
  ...new Set([...Object.keys(OWN_PROBLEMS), ...knownPlatformProblems().map(({ problem }) => problem)]),
].sort();
