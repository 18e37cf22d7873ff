import type { MarketingPreference, PlatformNotice } from '../domain/platform-notice';
import type { QualityRating, TemplateCategory, TemplateStatus } from '../../templates/domain/template';
import { EXPLANATION_SEPARATOR, type ReportedChange } from '../../templates/domain/template-report';
import { readUserIdUpdate } from './cloud-api-identities';
import { idOf, timeOf, objectOf, objects, phoneOf, textOf, userIdOf, type Wire } from './cloud-api-values';

/**
 * Template statuses by platform event; for others, such as FLAGGED, LOCKED or UNARCHIVED, the template is read again.
 */
const STATUSES: Readonly<Record<string, TemplateStatus>> = {
  APPROVED: 'Approved',
  ARCHIVED: 'Archived',
  DELETED: 'Deleted',
  DISABLED: 'Disabled',
  IN_APPEAL: 'Pending',
  PAUSED: 'Paused',
  PENDING: 'Pending',
  PENDING_DELETION: 'Deleted',
  REINSTATED: 'Approved',
  REJECTED: 'Rejected',
};
const RATINGS: Readonly<Record<string, QualityRating>> = {
  GREEN: 'Green',
  YELLOW: 'Yellow',
  RED: 'Red',
  UNKNOWN: 'Unknown',
};
const CATEGORIES: Readonly<Record<string, TemplateCategory>> = {
  MARKETING: 'Marketing',
  UTILITY: 'Utility',
  AUTHENTICATION: 'Authentication',
};
const TEMPLATE_FIELDS = new Set([
  'message_template_status_update',
  'message_template_quality_update',
  'template_category_update',
  'message_template_components_update',
]);
const LIMIT_FIELDS = new Set(['phone_number_quality_update', 'business_capability_update']);
/** Fields that alert the operator, and the values that give the reason. */
const ALERTS: Readonly<Record<string, (value: Wire) => unknown[]>> = {
  account_update: (value) => [
    value.event,
    objectOf(value.violation_info).violation_type,
    objectOf(value.ban_info).waba_ban_state,
    ...objects(value.restriction_info).map(({ restriction_type: type }) => type),
  ],
  account_alerts: (value) => {
    const alert = { ...value, ...objectOf(value.alert_info) };
    return [alert.entity_type, alert.alert_severity, alert.alert_type];
  },
  account_review_update: (value) => [value.decision],
  template_category_update: (value) => ['NEW_CATEGORY_IN_24_HOURS', value.correct_category],
  security: (value) => [value.event],
};
const MAX_WORDS = 10;
const MARKETING = 'marketing_messages';
/** `signup`: the person subscribed to marketing messages through a link of the business. */
const PREFERENCES: Readonly<Record<string, 'stop' | 'resume'>> = { stop: 'stop', resume: 'resume', signup: 'resume' };

/** The notices in an account-level field; `isWhole`: it contains nothing else. */
export interface ReadNotices {
  notices: PlatformNotice[];
  isWhole: boolean;
}

/**
 * Reads an account-level field. `at` is the platform's time of the entry. Fields are recognised by their keys, because
 * some of the platform's samples have wrong field names.
 */
export function readNotices(field: string, value: Wire, at: Date, now: Date): ReadNotices {
  if (TEMPLATE_FIELDS.has(field)) {
    const notice = readTemplate(field, value, at);
    // Nothing changes yet, but the operator is alerted: the price of messages changes in 24 hours.
    const isAnnounced = textOf(value.correct_category) !== null;
    return { notices: notice ? [notice] : [], isWhole: notice !== null && !isAnnounced };
  }
  if (LIMIT_FIELDS.has(field)) return { notices: [{ kind: 'limits' }], isWhole: true };
  if (field === 'user_id_update') {
    const read = objects(value.user_id_update).map(readUserIdUpdate);
    const changes = read.filter((change) => change !== null);
    const notices = changes.map((change): PlatformNotice => ({ kind: 'identity', change }));
    return { notices, isWhole: notices.length > 0 && notices.length === read.length };
  }
  if (field !== 'user_preferences') return { notices: [], isWhole: false };
  const phoneNumberId = idOf(objectOf(value.metadata).phone_number_id);
  const read = objects(value.user_preferences).map((preference) => readPreference(preference, now));
  const notices = read.flatMap((preference): PlatformNotice[] => {
    return preference ? [{ kind: 'preference', phoneNumberId, preference }] : [];
  });
  return { notices, isWhole: notices.length > 0 && notices.length === read.length };
}

/** The alert text, from the platform's uppercase codes; null for fields not in ALERTS. */
export function alertIn(field: string, value: Wire): string | null {
  if (!Object.hasOwn(ALERTS, field)) return null;
  const words = ALERTS[field]!(value).filter((word) => typeof word === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(word));
  return words.length > 0 ? words.slice(0, MAX_WORDS).join(' ') : 'without a reason';
}

function readTemplate(field: string, value: Wire, at: Date): PlatformNotice | null {
  const platformTemplateId = idOf(value.message_template_id);
  const name = idOf(value.message_template_name);
  if (platformTemplateId === null && name === null) return null;
  const languageCode = idOf(value.message_template_language)?.replaceAll('-', '_') ?? null;
  return {
    kind: 'template',
    report: { platformTemplateId, name, languageCode, at, change: changeOf(field, value) },
  };
}

function changeOf(field: string, value: Wire): ReportedChange {
  const rating = known(RATINGS, value.new_quality_score);
  if (rating) return { kind: 'quality', rating };
  const category = known(CATEGORIES, value.new_category);
  if (category) return { kind: 'category', category };
  const status = field === 'message_template_status_update' ? known(STATUSES, value.event) : undefined;
  const isUndone = textOf(objectOf(value.other_info).title) === 'UNPAUSE' && status === 'Paused';
  return status && !isUndone ? { kind: 'status', status, reason: reasonIn(value) } : { kind: 'contents' };
}

/** The reason of a rejection, with the platform's explanation and advice if present. */
function reasonIn(value: Wire): string | null {
  const { reason, recommendation } = objectOf(value.rejection_info);
  const explained = [textOf(reason), textOf(recommendation)].filter((text) => text !== null).join(' ');
  const code = textOf(value.reason);
  return explained === '' || code === null ? code : `${code}${EXPLANATION_SEPARATOR}${explained}`;
}

function readPreference(wire: Wire, now: Date): MarketingPreference | null {
  const phone = phoneOf(wire.wa_id);
  const userId = userIdOf(wire.user_id);
  const given = textOf(wire.value)?.toLowerCase();
  if ((phone === null && userId === null) || (textOf(wire.category) ?? MARKETING) !== MARKETING) return null;
  if (given === undefined || !Object.hasOwn(PREFERENCES, given)) return null;
  return { phone, userId, stop: PREFERENCES[given] === 'stop', at: timeOf(wire.timestamp, now) };
}

function known<Word>(words: Readonly<Record<string, Word>>, value: unknown): Word | undefined {
  const word = textOf(value)?.toUpperCase() ?? '';
  return Object.hasOwn(words, word) ? words[word] : undefined;
}
