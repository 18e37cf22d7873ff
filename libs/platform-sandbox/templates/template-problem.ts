import { GraphError } from '../http/graph-error';

/** A template validation error: code 100 with the subcode of the rule. */
export function templateProblem(subcode: number, userTitle: string, userMessage: string): GraphError {
  return new GraphError(100, { message: 'Invalid parameter', subcode, transient: false, userTitle, userMessage });
}
