import { createHash } from 'node:crypto';
import type { PhoneNumber } from '../../../kernel/phone-number';
import type { TemplateReport } from '../../templates/domain/template-report';

/** What a person told the platform about marketing messages of the business. */
export interface MarketingPreference {
  /** Digits; null for a person who hides the number: then there is a user id. */
  phone: PhoneNumber | null;
  userId: string | null;
  stop: boolean;
  at: Date;
}

/** Something that the platform said and this service does not act upon, for a person to look at. */
export interface PlatformEvent {
  /** Follows from what was said: the platform repeats itself. */
  id: string;
  /** The field it came in, or what was wrong with it. */
  kind: string;
  businessAccountId: string;
  /** JSON as it came, or the beginning of it. */
  body: string;
  /** What somebody has to know at once, in words of the platform that name no person; null: nothing. */
  alert: string | null;
}

/** What the platform says to a business account, beside messages and their statuses. */
export type PlatformNotice =
  | { kind: 'template'; report: TemplateReport }
  | { kind: 'preference'; phoneNumberId: string | null; preference: MarketingPreference }
  | { kind: 'limits' }
  | { kind: 'event'; event: PlatformEvent };

/** A notice, and whom it concerns: the accounts and senders of the business account. */
export interface OwnedNotice {
  notice: PlatformNotice;
  owners: readonly { accountId: string; senderId: string }[];
}

/** Longer bodies are kept in part. */
const LONGEST_BODY = 16_384;

/** An event of which `said` is all there is. */
export function platformEvent(
  event: Pick<PlatformEvent, 'kind' | 'businessAccountId'> & { alert?: string | null },
  said: { time: unknown; body: unknown },
): PlatformEvent {
  const body = textOf(said.body);
  const { kind, businessAccountId, alert = null } = event;
  const hash = createHash('sha256').update(JSON.stringify([businessAccountId, kind, said.time ?? null, body]));
  const hex = hash.digest('hex');
  return {
    // Version 8 (RFC 9562): made by a rule of our own.
    id: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
    kind,
    businessAccountId,
    body: body.slice(0, LONGEST_BODY),
    alert,
  };
}

/** JSON that is nested deeply enough can be read and not be written. */
function textOf(body: unknown): string {
  try {
    return JSON.stringify(body) ?? '';
  } catch {
    return '';
  }
}
