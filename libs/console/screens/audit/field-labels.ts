import type { AuditEntryDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { DISABLED_REASONS } from '../webhooks/event-labels';

type Labels = Readonly<Record<string, string | undefined>>;

/** The fields of keys, accounts, senders, webhook endpoints, jobs, templates and settings, as forms name them. */
const LABELS: Labels = {
  accessToken: t('Access token'),
  addSecurityRecommendation: t('Security recommendation'),
  allowedIps: t('Allowed IP addresses'),
  appSecret: t('App secret'),
  body: t('Text'),
  businessAccountId: t('Business account ID'),
  businessPortfolioId: t('Business portfolio ID'),
  buttons: t('Buttons'),
  callPermissionRequest: t('Call permission request'),
  cards: t('Cards'),
  category: t('Category'),
  codeExpirationMinutes: t('Validity of the code'),
  default: t('Default sender'),
  defaultCountry: t('Default country'),
  displayPhoneNumber: t('Phone number'),
  events: t('Events'),
  expiresAt: t('Expiry'),
  footer: t('Footer'),
  header: t('Header'),
  marketingMessagesApi: t('Marketing Messages API'),
  maxEvents: t('Events per request'),
  messageTtlSeconds: t('Validity of messages'),
  messagesPerSecond: t('Messages per second'),
  messagingTier: t('Messaging tier'),
  name: t('Name'),
  offer: t('Offer'),
  optInKeywords: t('Opt-in keywords'),
  optOutKeywords: t('Opt-out keywords'),
  phoneNumberId: t('Phone number ID'),
  plan: t('Plan'),
  previousSecretValidUntil: t('Old secret'),
  retentionDays: t('Retention period'),
  scheduledAt: t('Start'),
  scopes: t('Scopes'),
  secret: t('Secret'),
  sendWindow: t('Sending hours'),
  sender: t('Sender', {}, 'a phone number'),
  sendingPaused: t('Sending paused'),
  status: t('Status'),
  timeZone: t('Time zone'),
  url: t('URL'),
};

/** What `fields` has instead of fields: the kind of a job, and why an endpoint was disabled. */
const OTHERS: Labels = { ...DISABLED_REASONS, Import: t('From a file'), Group: t('To a group') };

/** The changed fields of an entry in words; those of a newer service by their names. */
export function fieldWords({ fields }: Pick<AuditEntryDto, 'fields'>): string {
  const words = fields.map((field) => {
    // Those of an account's sender have its name before theirs.
    const name = field.split('.').at(-1)!;
    return OTHERS[name] ?? LABELS[name] ?? field;
  });
  return [...new Set(words)].join(', ');
}
