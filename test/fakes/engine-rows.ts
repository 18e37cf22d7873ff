import type { OutboundMessage } from '../../src/modules/messages/domain/message';
import type { ReportedMessage } from '../../src/modules/messages/domain/status-update';
import type { RetryScope } from '../../src/modules/bulk-jobs/domain/retry-selection';
import type { Outcome } from '../../src/modules/sending/domain/send-state';
import type { TemplateExtras } from '../../src/modules/templates/domain/template-extras';

/** A row of `sender_lanes`. */
export interface LaneRow {
  senderId: string;
  epoch: number;
  owner: string | null;
  leaseUntil: number;
  throttledReason: string | null;
  throttledUntil: Date | null;
}

/** A row of `lane_workers`. */
export interface WorkerRow {
  owner: string;
  lanes: number;
  leaseUntil: number;
}

/** A row of `bulk_jobs`, with the columns used by lanes. */
export interface JobRow {
  id: string;
  accountId: string;
  senderId: string;
  status: string;
  templateName: string;
  languageCode: string;
  revisionId: string;
  headerMedia: { id?: string; link?: string } | null;
  reference: string | null;
  totalRecipients: number;
  cursor: number;
  settledBelow: number;
  laneEpoch: number;
  atRest: boolean;
  successfullySent: number;
  failed: number;
  skipped: number;
  unknown: number;
  unknownInGrace: number;
  pauseReason: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  scheduledAt: Date | null;
  sendFrom: string | null;
  sendUntil: string | null;
  sendZone: string | null;
  sendDays: number[] | null;
  /** When the window opens; null: not marked as closed. */
  windowOpensAt: Date | null;
  validUntil: Date | null;
  throttledReason: string | null;
  throttledUntil: Date | null;
  throttledTier: string | null;
  validForSeconds: number | null;
  retryOf: string | null;
  retryScope: RetryScope | null;
  /** Who stores it while it is Importing. */
  importOwner: string | null;
  createdAt: Date;
  pausedAt: Date | null;
  startedAt: Date | null;
  completedAt: Date | null;
}

/** A row of `job_recipients`. */
export interface RecipientRow {
  jobId: string;
  position: number;
  rowNumber: number;
  messageId: string;
  phone: string;
  userId: string | null;
  parameters: string[];
  extras: TemplateExtras | null;
  reference: string | null;
  attempt: number;
  strikes: number;
  throttles: number;
  sendingEpoch: number | null;
  retryAt: Date | null;
  unknownSince: Date | null;
  outcome: Outcome | null;
  problem: string | null;
  problemMessage: string | null;
  platformCode: number | null;
}

/** A row of `single_sends`. */
export interface SingleSendRow {
  messageId: string;
  senderId: string;
  attempt: number;
  strikes: number;
  throttles: number;
  sendingEpoch: number | null;
  retryAt: Date | null;
  giveUpAt: Date | null;
  unknownSince: Date | null;
  outcome: Outcome | null;
  problem: string | null;
  needsRoom: boolean;
  validUntil: Date;
  traceparent?: string | null;
}

/** A row of `messages`. */
export type MessageRow = OutboundMessage & ReportedMessage;
