import { QueryFailedError } from 'typeorm';

/** Whether a statement violated the unique index `index`. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { code, constraint } = error.driverError as { code?: string; constraint?: string };
  return code === '23505' && constraint === index;
}
