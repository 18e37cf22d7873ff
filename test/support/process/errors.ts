import { STATUS_CODES } from 'node:http';
import type { Answer, Json } from './client';

/** What no response may reveal: code, files, SQL, library names. */
const INTERNAL =
  /\bat \S+ \(|\.[jt]s\b|node_modules|\/src\/|\bSELECT\b|\bINSERT\b|\bUPDATE\b|typeorm|pglite|undici|ECONN/;

/** Asserts the common shape of errors, and returns the body for further checks. */
export function expectError(answer: Answer, status: number, code: string): Json {
  expect({ status: answer.status, code: answer.body.code, body: answer.body }).toMatchObject({ status, code });
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(answer.body).toMatchObject({
    error: STATUS_CODES[status],
    message: expect.stringMatching(/^\S.{10,}\.$/s),
    statusCode: status,
    requestId: answer.headers.get('x-request-id'),
  });
  expect(JSON.stringify(answer.body)).not.toMatch(INTERNAL);
  return answer.body;
}

/** Asserts a 400 with exactly these fields and error codes, in this order. */
export function expectFieldErrors(answer: Answer, errors: Record<string, string>): Json {
  const body = expectError(answer, 400, 'validation_failed');
  const fieldErrors = body.errors as { field: string; code: string; message: string }[];
  expect(fieldErrors.map(({ field, code }) => [field, code])).toEqual(Object.entries(errors));
  for (const { message } of fieldErrors) expect(message).toMatch(/^\S.{10,}\.$/s);
  expect(body.message).toContain(fieldErrors[0]!.message);
  return body;
}
