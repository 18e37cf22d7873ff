import { createHash } from 'node:crypto';

const names = new Map<string, string>();

/**
 * Marks a frequent statement as prepared and returns it: each connection to PostgreSQL parses and plans it once, for all parameters.
 * Its plan must therefore suit all parameters and table sizes.
 */
export function prepared(statement: string): string {
  names.set(statement, createHash('sha256').update(statement).digest('hex').slice(0, 32));
  return statement;
}

/** The name of a prepared statement; undefined if it is not marked. */
export function preparedName(statement: string): string | undefined {
  return names.get(statement);
}
