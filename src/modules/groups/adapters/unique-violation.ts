import { QueryFailedError } from 'typeorm';

/** Whether a statement failed because a row with the same value of the unique index `index` exists. */
export function violatesUnique(error: unknown, index: string): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { code, constraint } = error.driverError as { code?: string; constraint?: string };
  return code === '23505' && constraint === index;
}
