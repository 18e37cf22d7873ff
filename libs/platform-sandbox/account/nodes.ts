import type { JsonObject } from '../http/exchange';
import { invalidParameter } from '../http/graph-error';
import { SANDBOX_CREDENTIALS } from '../credentials';
import type { BusinessAccount, Directory, Sender } from './directory';

type Fields<T> = Record<string, (node: T) => unknown>;

const NUMBER_DEFAULTS = [
  'verified_name',
  'code_verification_status',
  'display_phone_number',
  'quality_rating',
  'platform_type',
  'throughput',
  'webhook_configuration',
];
const HIGH_THROUGHPUT = 1000;

/**
 * A phone number in the platform's format: the requested or default fields, and the id. Its throughput level
 * depends only on its own limit; the common limit is above STANDARD in order not to slow down tests.
 */
export function numberView(sender: Sender, fields: string[], directory: Directory): JsonObject {
  const readable: Fields<Sender> = {
    id: ({ id }) => id,
    verified_name: ({ verifiedName }) => verifiedName,
    code_verification_status: () => 'VERIFIED',
    display_phone_number: ({ displayPhoneNumber }) => displayPhoneNumber,
    quality_rating: ({ quality }) => quality,
    platform_type: () => 'CLOUD_API',
    throughput: ({ messagesPerSecond: own }) => ({
      level: own === 0 || (own !== undefined && own >= HIGH_THROUGHPUT) ? 'HIGH' : 'STANDARD',
    }),
    status: () => 'CONNECTED',
    name_status: () => 'APPROVED',
    account_mode: () => 'LIVE',
    is_official_business_account: () => false,
    is_on_biz_app: ({ onBusinessApp }) => onBusinessApp,
    is_pin_enabled: () => false,
    messaging_limit_tier: ({ messagingLimitTier }) => messagingLimitTier,
    whatsapp_business_manager_messaging_limit: ({ messagingLimitTier }) => messagingLimitTier,
    webhook_configuration: ({ override, account }) => ({
      ...(override !== undefined && { phone_number: override.url }),
      ...(account.override !== undefined && { whatsapp_business_account: account.override.url }),
      ...(directory.appSubscription !== undefined && { application: directory.appSubscription.url }),
    }),
    health_status: ({ id, account }) => health(['PHONE_NUMBER', id], ['WABA', account.id]),
  };
  return view(sender, readable, fields.length > 0 ? fields : NUMBER_DEFAULTS, 'WhatsAppBusinessPhoneNumber');
}

/** A business account in the platform's format. */
export function accountView(account: BusinessAccount, fields: string[], tier: string): JsonObject {
  const readable: Fields<BusinessAccount> = {
    id: ({ id }) => id,
    name: ({ name }) => name,
    timezone_id: () => '1',
    currency: () => 'EUR',
    message_template_namespace: ({ id }) => `sandbox_${id}`,
    account_review_status: () => 'APPROVED',
    business_verification_status: () => 'verified',
    country: () => 'DE',
    ownership_type: () => 'SELF',
    status: () => 'ACTIVE',
    owner_business_info: () => ({ name: 'Sample Parcels', id: SANDBOX_CREDENTIALS.businessPortfolioId }),
    on_behalf_of_business_info: () => ({ name: 'Sample Parcels', id: SANDBOX_CREDENTIALS.businessPortfolioId }),
    whatsapp_business_manager_messaging_limit: () => tier,
    health_status: ({ id }) => health(['WABA', id]),
  };
  const defaults = ['name', 'timezone_id', 'message_template_namespace'];
  return view(account, readable, fields.length > 0 ? fields : defaults, 'WhatsAppBusinessAccount');
}

function view<T>(node: T, readable: Fields<T>, fields: string[], nodeType: string): JsonObject {
  const unknown = fields.find((field) => !(field in readable));
  if (unknown !== undefined) {
    throw invalidParameter(`Tried accessing nonexisting field (${unknown}) on node type (${nodeType})`);
  }
  return Object.fromEntries(
    [...fields.filter((f) => f !== 'id'), 'id'].map((field) => [field, readable[field]?.(node)]),
  );
}

function health(...nodes: [type: string, id: string][]): object {
  const entities = [
    ...nodes,
    ['BUSINESS', SANDBOX_CREDENTIALS.businessPortfolioId],
    ['APP', SANDBOX_CREDENTIALS.appId],
  ];
  return {
    can_send_message: 'AVAILABLE',
    entities: entities.map(([type, id]) => ({ entity_type: type, id, can_send_message: 'AVAILABLE' })),
  };
}
