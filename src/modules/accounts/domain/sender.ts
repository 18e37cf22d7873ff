import { lowestUuidAt } from '../../../kernel/uuid';

/** The number of people with whom a business may start conversations in 24 hours. */
export const MESSAGING_TIERS = ['250', '1000', '2000', '10000', '100000', 'Unlimited'] as const;

/** One of MESSAGING_TIERS. */
export type MessagingTier = (typeof MESSAGING_TIERS)[number];

/** A phone number of an account on the platform, with the data needed to send from it. */
export interface Sender {
  id: string;
  accountId: string;
  phoneNumberId: string;
  businessAccountId: string;
  displayPhoneNumber: string | null;
  messagesPerSecond: number;
  messagingTier: MessagingTier;
  accessToken: string;
  appSecret: string;
  /** Whether marketing templates go through the platform's Marketing Messages API instead of the Cloud API. */
  marketingMessagesApi: boolean;
  /** Its own business portfolio; null: that of its account. */
  businessPortfolioId: string | null;
  /** The messaging tier applies to the business portfolio or, if that is unknown, to the business account. */
  portfolioId: string;
  /** True for the operator's emergency stop, for suspended accounts and for a deleted sender. */
  sendingPaused: boolean;
  /** Messages and jobs still refer to a deleted sender. */
  isDeleted: boolean;
  /** The account is deleted, and its data not yet completely. */
  isAccountDeleted: boolean;
  defaultCountry: string | null;
  templatesSyncedAt: Date | null;
  /** When its limits were last read from the platform, and what that showed: its rating, and why its current token was refused. */
  limitsReadAt: Date | null;
  qualityRating: SenderQualityRating | null;
  tokenProblem: SenderProblem | null;
  /** When the platform last accepted a message, and last reported a status; up to a minute late. */
  lastAcceptedAt: Date | null;
  lastReportedAt: Date | null;
}

/** What is needed of a sender to verify and assign the platform's reports. */
export type ReportedSender = Pick<Sender, 'id' | 'accountId' | 'phoneNumberId' | 'businessAccountId' | 'appSecret'>;

/** A business account of senders. */
export interface BusinessAccount {
  id: string;
  /** Whether the platform has reported on one of its senders. */
  isReported: boolean;
  /** Whether all its senders are idle. */
  isIdle: boolean;
  /** The id of the sender added last. */
  newestSender: string;
}

/** Senders created, used or reported on since then are active; all others are idle. */
export interface ActiveSince {
  at: Date;
  /** The lowest id of a sender that was created since then. */
  id: string;
}

/** When a regular task was last done for a sender. */
export type SenderTaskTime = 'limitsReadAt' | 'templatesSyncedAt';

/** A regular task is due for a sender if it was last done at or before `quiet`, or `reported` if the platform has reported on the sender since `reportedSince`. */
export interface SenderDueTimes {
  quiet: Date;
  reported: Date;
  reportedSince: Date;
  /** That of idle senders. */
  idle: Date;
  activeSince: ActiveSince;
}

/** How often regular tasks of idle senders are repeated: hourly, those of 10,000 senders would be most of what a worker does. */
export const IDLE_INTERVAL_MS = 24 * 3_600_000;
const IDLE_AFTER_MS = 24 * 3_600_000;

export function activeSince(now: Date): ActiveSince {
  const at = before(now, IDLE_AFTER_MS);
  return { at, id: lowestUuidAt(at) };
}

/** Whether the sender is idle. */
export function isIdle({ id, lastAcceptedAt, lastReportedAt }: Sender, since: ActiveSince): boolean {
  return id < since.id && [lastAcceptedAt, lastReportedAt].every((last) => last === null || last < since.at);
}

/** Of a task that is repeated after `everyMs`, or after `reportedMs` if the platform has reported on the sender within that time. */
export function dueTimes(now: Date, everyMs: number, reportedMs: number): SenderDueTimes {
  const reported = before(now, reportedMs);
  return {
    ...{ quiet: before(now, everyMs), reported, reportedSince: reported },
    ...{ idle: before(now, IDLE_INTERVAL_MS), activeSince: activeSince(now) },
  };
}

/** Whether a task that was last done at `last` is due; null: never done. */
export function isTaskDue(last: Date | null, sender: Sender, due: SenderDueTimes): boolean {
  if (last === null) return true;
  const { lastReportedAt } = sender;
  if (lastReportedAt !== null && lastReportedAt >= due.reportedSince) return last <= due.reported;
  return last <= (isIdle(sender, due.activeSince) ? due.idle : due.quiet);
}

function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}

/** The result of reading a sender from the platform, apart from its limits. */
export interface SenderReading {
  at: Date;
  qualityRating: SenderQualityRating | null;
  problem: SenderProblem | null;
}

/** A sender's limits as the platform reports them; null: not reported. */
export interface SenderLimits {
  messagesPerSecond: number | null;
  messagingTier: MessagingTier | null;
}

/** Problems of a platform call caused by the access token. */
export const TOKEN_PROBLEMS = ['platform_credentials_invalid', 'access_token_missing'] as const;

/** The platform refuses the access token of a number, so nothing can be sent from it. */
export interface SenderProblem {
  code: (typeof TOKEN_PROBLEMS)[number];
  message: string;
}

/** The problem of an access token, from the code and message of a refusal; null for other refusals. */
export function tokenProblem(code: string, reason: string): SenderProblem | null {
  const own = TOKEN_PROBLEMS.find((problem) => problem === code);
  if (own === undefined) return null;
  const message =
    `The platform refuses the access token of this number: ${reason.replace(/\.?$/, '.')} Store a new one with PATCH /accounts/{accountId}/senders/{senderId} ` +
    '(accessToken, and appSecret of its app), or set PLATFORM_ACCESS_TOKEN and PLATFORM_APP_SECRET and restart if the ' +
    'number uses those of the environment.';
  return { code: own, message };
}

/** The platform's quality ratings of a number. */
export const SENDER_QUALITY_RATINGS = ['Green', 'Yellow', 'Red'] as const;
export type SenderQualityRating = (typeof SENDER_QUALITY_RATINGS)[number];

/**
 * The fields of a sender that the operator sets. Null in token or secret: the environment's is used; null in rate or tier: the
 * platform's.
 */
export interface SenderFields {
  phoneNumberId: string;
  businessAccountId: string;
  displayPhoneNumber: string | null;
  messagesPerSecond: number | null;
  messagingTier: MessagingTier | null;
  accessToken: string | null;
  appSecret: string | null;
  marketingMessagesApi: boolean;
  /** Null: that of its account. */
  businessPortfolioId: string | null;
}

/** The defaults of a new sender. */
export const UNSET_SENDER_FIELDS = {
  displayPhoneNumber: null,
  messagesPerSecond: null,
  messagingTier: null,
  accessToken: null,
  appSecret: null,
  marketingMessagesApi: false,
  businessPortfolioId: null,
};
