import { GraphError } from '../http/graph-error';

/** A refusal of a template: code 100 and the subcode that names the rule. */
export function templateProblem(subcode: number, userTitle: string, userMessage: string): GraphError {
  return new GraphError(100, { message: 'Invalid parameter', subcode, transient: false, userTitle, userMessage });
}
