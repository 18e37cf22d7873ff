import { ANY_HOUR } from '../fakes/lane-rows';
import type { JobRow, RecipientRow } from '../fakes/engine-rows';

/** The columns that differ per job. */
export type NewJob = Pick<JobRow, 'id' | 'accountId' | 'senderId' | 'revisionId' | 'createdAt'>;

/** A job without recipients that may send immediately. */
export function newJobRow(job: NewJob): JobRow {
  return {
    ...{ ...job, templateName: 'promo', languageCode: 'de', status: 'Queued', headerMedia: null, reference: null },
    ...{ totalRecipients: 0, cursor: 1, settledBelow: 1, laneEpoch: 0, atRest: false },
    ...{ successfullySent: 0, failed: 0, skipped: 0, unknown: 0, unknownInGrace: 0 },
    ...{ pauseReason: null, errorCode: null, errorMessage: null },
    ...ANY_HOUR,
    ...{ throttledReason: null, throttledUntil: null, throttledTier: null },
    ...{ validForSeconds: null, validUntil: null, pausedAt: null, startedAt: null, completedAt: null },
    ...{ retryOf: null, retryScope: null, importOwner: null },
  };
}

/** A recipient as the import leaves it. */
export function recipientRow(jobId: string, position: number, messageId: string, phone: string): RecipientRow {
  return {
    ...{ jobId, position, rowNumber: position + 1, messageId, phone, parameters: ['Mira'], extras: null },
    ...{ userId: null, reference: null, attempt: 0, strikes: 0, throttles: 0, sendingEpoch: null, retryAt: null },
    ...{ unknownSince: null, outcome: null, problem: null, problemMessage: null, platformCode: null },
  };
}
