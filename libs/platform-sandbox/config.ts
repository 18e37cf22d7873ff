import { z } from 'zod';
import { isKnownCode } from './http/graph-error';

const share = z.number().min(0).max(1);
const milliseconds = z.number().int().min(0).max(86_400_000);
const numericId = z.string().regex(/^\d{5,25}$/, 'must be a string of 5 to 25 digits');
const sharePerCode = z.record(
  z.string().refine((code) => isKnownCode(Number(code)), 'is not a known platform code'),
  share,
);

const faultsSchema = z.strictObject({
  cutBefore: share,
  cutAfterAccept: share,
  html502Before: share,
  html502AfterAccept: share,
  error131000: share,
  hang: share,
  hangAfterAccept: share,
  throttle: share,
  held: share,
  refuse: sharePerCode,
  failLater: sharePerCode,
  statusLost: share,
  statusDuplicated: share,
  statusReordered: share,
});

const senderSchema = z.strictObject({
  phoneNumberId: numericId,
  businessAccountId: numericId,
  displayPhoneNumber: z.string().min(5).max(25).optional(),
  verifiedName: z.string().min(1).max(100).optional(),
  accessToken: z.string().min(1).optional(),
  appSecret: z.string().min(1).optional(),
  messagesPerSecond: z.number().int().min(0).max(1_000_000).optional(),
  messagingLimitTier: z.string().min(1).optional(),
  onBusinessApp: z.boolean().optional(),
});

const configSchema = z.strictObject({
  strict: z.boolean(),
  latencyMs: milliseconds,
  latencyJitterMs: milliseconds,
  messagesPerSecond: z.number().int().min(0).max(1_000_000),
  pairLimit: z.number().int().min(0).max(100_000),
  statuses: z.boolean(),
  statusesForUnanswered: z.boolean(),
  statusContacts: z.boolean(),
  statusDelayMs: milliseconds,
  stopDelayMs: milliseconds,
  statusesPerBody: z.number().int().min(1).max(1000),
  webhookConcurrency: z.number().int().min(1).max(64),
  webhookRetryMs: milliseconds,
  webhookAttempts: z.number().int().min(1).max(10_000),
  webhookTimeoutMs: z.number().int().min(1).max(600_000),
  faults: faultsSchema,
  refuseNext: z.strictObject({
    code: z.number().int().refine(isKnownCode, 'is not a known platform code'),
    count: z.number().int().min(0),
  }),
  seed: z.number().int(),
  autoApproveMs: z.number().int().min(-1).max(86_400_000),
  templateCreationsPerHour: z.number().int().min(0),
  templateEditsPerDay: z.number().int().min(0),
  largeTemplateIds: z.boolean(),
  strictMedia: z.boolean(),
  autoCreateSenders: z.boolean(),
  marketingApiOnly: z.boolean(),
  marketingPreparationMs: milliseconds,
  templatesLimited: z.boolean(),
  requireAppSecretProof: z.boolean(),
  ledgerLimit: z.number().int().min(1).max(50_000_000),
});

const changeSchema = configSchema
  .extend({ faults: faultsSchema.partial(), senders: z.array(senderSchema).max(10_000) })
  .partial();

/** The configuration of the sandbox; the README describes every field. */
export type SandboxConfig = z.infer<typeof configSchema>;

/** A partial change; `faults` is merged field by field, `senders` are registered. */
export type SandboxConfigChange = z.infer<typeof changeSchema>;

/** A phone number to register. */
export type SenderRegistration = z.infer<typeof senderSchema>;

/** The defaults: no faults, no latency, 1,000 messages a second per number, statuses after 50 ms each. */
export function defaultConfig(): SandboxConfig {
  return {
    strict: false,
    latencyMs: 0,
    latencyJitterMs: 0,
    messagesPerSecond: 1000,
    pairLimit: 0,
    statuses: true,
    statusesForUnanswered: true,
    statusContacts: false,
    statusDelayMs: 50,
    stopDelayMs: 1000,
    statusesPerBody: 100,
    webhookConcurrency: 8,
    webhookRetryMs: 1000,
    webhookAttempts: 200,
    webhookTimeoutMs: 10_000,
    faults: {
      cutBefore: 0,
      cutAfterAccept: 0,
      html502Before: 0,
      html502AfterAccept: 0,
      error131000: 0,
      hang: 0,
      hangAfterAccept: 0,
      throttle: 0,
      held: 0,
      refuse: {},
      failLater: {},
      statusLost: 0,
      statusDuplicated: 0,
      statusReordered: 0,
    },
    refuseNext: { code: 131000, count: 0 },
    seed: 1,
    autoApproveMs: 3000,
    templateCreationsPerHour: 100,
    templateEditsPerDay: 10,
    largeTemplateIds: false,
    strictMedia: false,
    autoCreateSenders: false,
    marketingApiOnly: false,
    marketingPreparationMs: 0,
    templatesLimited: false,
    requireAppSecretProof: false,
    ledgerLimit: 2_000_000,
  };
}

/** The platform's own limits, which `strict` sets. */
const STRICT = {
  messagesPerSecond: 80,
  pairLimit: 10,
  statusContacts: true,
  strictMedia: true,
  templateEditsPerDay: 1,
  marketingPreparationMs: 600_000,
} as const satisfies Partial<SandboxConfig>;

/** Validates a change; throws an Error that names each invalid or unknown field. */
export function parseConfigChange(input: unknown): SandboxConfigChange {
  return parseWith(changeSchema, input);
}

/** The configuration with a change applied; a change of `strict` first sets the limits, which the same change may override. */
export function changedConfig(config: SandboxConfig, change: SandboxConfigChange): SandboxConfig {
  const { faults, ...rest } = structuredClone(change);
  delete rest.senders;
  return { ...config, ...limitsOf(rest.strict), ...rest, faults: { ...config.faults, ...faults } };
}

function limitsOf(strict: boolean | undefined): Partial<SandboxConfig> {
  if (strict === undefined) return {};
  if (strict) return STRICT;
  const defaults = defaultConfig();
  return Object.fromEntries(Object.keys(STRICT).map((field) => [field, defaults[field as keyof typeof STRICT]]));
}

/** Validates input of the sandbox's own endpoints; throws an Error that names each invalid field. */
export function parseWith<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new Error(result.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`).join('; '));
}
