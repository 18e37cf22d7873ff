import { createHash } from 'node:crypto';
import type { PhoneNumber } from '../../../kernel/phone-number';
import type { IdentityChange } from '../../groups/domain/opt-out';
import type { TemplateReport } from '../../templates/domain/template-report';

/** A person's preference about marketing messages of the business. */
export interface MarketingPreference {
  /** Digits; null if the number is hidden and only the user id is known. */
  phone: PhoneNumber | null;
  userId: string | null;
  stop: boolean;
  at: Date;
}

/** A report that this service does not use, stored for the operator. */
export interface PlatformEvent {
  /** Computed from the report, because the platform repeats reports. */
  id: string;
  /** The field of the report, or what is wrong with it. */
  kind: string;
  businessAccountId: string;
  /** JSON as received, truncated if long. */
  body: string;
  /** Alert text in the platform's words, without personal data; null: no alert. */
  alert: string | null;
}

/** What the platform reports to a business account besides messages and statuses. */
export type PlatformNotice =
  | { kind: 'template'; report: TemplateReport }
  | { kind: 'preference'; phoneNumberId: string | null; preference: MarketingPreference }
  | { kind: 'identity'; change: IdentityChange }
  | { kind: 'limits' }
  | { kind: 'event'; event: PlatformEvent };

/** A notice with the accounts and senders of its business account. */
export interface OwnedNotice {
  notice: PlatformNotice;
  owners: readonly { accountId: string; businessAccountId: string; senderId: string }[];
}

/** Longer bodies are truncated. */
const MAX_BODY = 16_384;

/** Creates an event from a report. */
export function platformEvent(
  event: Pick<PlatformEvent, 'kind' | 'businessAccountId'> & { alert?: string | null },
  reported: { time: unknown; body: unknown },
): PlatformEvent {
  const body = textOf(reported.body);
  const { kind, businessAccountId, alert = null } = event;
  const hash = createHash('sha256').update(JSON.stringify([businessAccountId, kind, reported.time ?? null, body]));
  const hex = hash.digest('hex');
  return {
    // Version 8 (RFC 9562): custom.
    id: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
    kind,
    businessAccountId,
    body: body.slice(0, MAX_BODY),
    alert,
  };
}

/** JSON.stringify fails on deep nesting that JSON.parse accepts. */
function textOf(body: unknown): string {
  try {
    return JSON.stringify(body) ?? '';
  } catch {
    return '';
  }
}
