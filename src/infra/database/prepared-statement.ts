import { createHash } from 'node:crypto';

const names = new Map<string, string>();

/**
 * Marks the text of a statement that runs all the time and gives it back: every connection to PostgreSQL parses it once, and
 * plans it once for all parameters. So its plan must be good whatever the parameters, and however much the tables grow.
 */
export function prepared(statement: string): string {
  names.set(statement, createHash('sha256').update(statement).digest('hex').slice(0, 32));
  return statement;
}

/** The name under which a connection keeps a statement; absent for one that is not marked. */
export function preparedName(statement: string): string | undefined {
  return names.get(statement);
}
