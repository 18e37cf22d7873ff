/** Properties of library errors beside their message. */
export interface CodedError extends Error {
  code?: unknown;
  field?: unknown;
  severity?: unknown;
  driverError?: unknown;
  errors?: unknown;
}

/** The error, its causes, and the first error of a connection attempted at several addresses. */
export function* chainOf(error: unknown, depth = 0): Generator<CodedError> {
  if (!(error instanceof Error) || depth > 5) return;
  const coded = error as CodedError;
  yield coded;
  yield* chainOf(coded.cause, depth + 1);
  yield* chainOf(coded.driverError, depth + 1);
  if (Array.isArray(coded.errors)) yield* chainOf(coded.errors[0], depth + 1);
}
