import type { Response } from 'express';
import type { DomainError } from '../../../kernel/domain-error';
import type { ApiRequest } from '../api-request';
import { answerToDomainError } from '../error-answer';

/** An answer as a later request with the same key gets it again, where `keep` says so. */
export interface KeptAnswer {
  statusCode: number;
  body: object;
  headers?: Record<string, string>;
  /** Whether the key stays used. Only answers that created something are kept. */
  keep: boolean;
}

/** What became of a request that may carry an idempotency key. */
export interface IdempotentOutcome {
  answer: KeptAnswer;
  /** The answer was given before, and nothing was done now. */
  replayed: boolean;
}

/** Puts status and headers on the response and returns its body; a fault that is told again carries the id of this request. */
export function applyAnswer(request: ApiRequest, response: Response, { answer, replayed }: IdempotentOutcome): object {
  response.status(answer.statusCode).set(answer.headers ?? {});
  if (replayed) response.setHeader('Idempotency-Replayed', 'true');
  return answer.statusCode < 400 ? answer.body : { ...answer.body, requestId: request.requestId };
}

/** The answer to keep for an error that says `keepAnswer`, null for every other one. */
export function keptAnswerOf(error: DomainError & { keepAnswer?: boolean }): KeptAnswer | null {
  if (error.keepAnswer !== true) return null;
  return { ...answerToDomainError(error, undefined), keep: true };
}
