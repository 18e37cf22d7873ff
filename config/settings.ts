import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

/** Limits of a plan: the token bucket of requests, the rows of one file, and how many keys and groups an account may have. */
const planSchema = z.strictObject({
  requestsPerSecond: z.number().positive(),
  burst: z.number().int().positive(),
  maxRowsPerFile: z.number().int().positive(),
  maxApiKeys: z.number().int().positive().optional(),
  maxGroups: z.number().int().positive().optional(),
});
const plansSchema = z
  .record(z.string().min(1), planSchema)
  .refine((plans) => 'Enterprise' in plans, 'must contain the plan "Enterprise", which the first account gets');
export type Plan = z.infer<typeof planSchema>;
export type Plans = Readonly<Record<string, Plan>>;

/** The number of people with whom a business may start conversations in 24 hours. */
export const MESSAGING_TIERS = ['250', '1000', '2000', '10000', '100000', 'Unlimited'] as const;

const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const url = (...protocols: string[]) =>
  z.url({
    protocol: new RegExp(`^(${protocols.join('|')})$`),
    error: `must be a URL that starts with ${protocols.join(':// or ')}://`,
  });

const addressRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);
/** Addresses and CIDR ranges, separated by commas. */
const addressRanges = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
  .refine(
    (parts) => parts.every((part) => addressRange.safeParse(part).success),
    'must be addresses or CIDR ranges, separated by commas: 10.0.0.0/8,2001:db8::1',
  );

/** Names of hosts, separated by commas, in lower case as URLs have them. */
const hostNames = z
  .string()
  .default('*.fbsbx.com,*.fbcdn.net,*.whatsapp.net')
  .transform((text) => text.split(',').flatMap((part) => part.trim().toLowerCase() || []))
  .refine(
    (names) => names.every((name) => /^(\*\.)?([a-z0-9-]+\.)*[a-z0-9-]+$/.test(name)),
    'must be names of hosts, separated by commas: lookaside.fbsbx.com,*.fbcdn.net',
  );

const encryptionKey = z
  .string()
  .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64: openssl rand -base64 32')
  .optional();

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');

const environmentSchema = z.object({
  PORT: integer(0, 65535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATABASE_URL: url('postgres', 'postgresql').optional(),
  DATABASE_POOL_SIZE: integer(2, 500).default(20),
  REDIS_URL: url('redis', 'rediss').optional(),
  DATA_DIR: z.string().default('./data'),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  PLATFORM_API_URL: url('http', 'https').optional(),
  PLATFORM_API_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/, 'must look like v25.0')
    .default('v25.0'),
  PLATFORM_ACCESS_TOKEN: z.string().optional(),
  PLATFORM_PHONE_NUMBER_ID: z.string().regex(/^\d+$/, 'must be digits').optional(),
  PLATFORM_BUSINESS_ACCOUNT_ID: z.string().regex(/^\d+$/, 'must be digits').optional(),
  PLATFORM_APP_SECRET: z.string().optional(),
  PLATFORM_APP_ID: z.string().regex(/^\d+$/, 'must be digits').optional(),
  PLATFORM_WEBHOOK_VERIFY_TOKEN: z.string().optional(),
  MESSAGES_PER_SECOND: integer(1, 100_000).optional(),
  MESSAGING_TIER: z.enum(MESSAGING_TIERS).optional(),
  BOOTSTRAP_API_KEY: z
    .string()
    .min(24, 'must have at least 24 characters')
    .max(200)
    .regex(/^[\x21-\x7e]+$/)
    .optional(),
  ENCRYPTION_KEY: encryptionKey,
  ENCRYPTION_KEY_PREVIOUS: encryptionKey,
  PLANS_FILE: z.string().default(resolve(__dirname, 'plans.json')),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  MAX_FILE_MB: integer(1, 1024).default(100),
  PLATFORM_TIMEOUT_SECONDS: integer(1, 300).default(30),
  PLATFORM_MEDIA_HOSTS: hostNames,
  PLATFORM_CONNECTIONS: integer(8, 20_000).default(512),
  PUBLIC_URL: url('http', 'https').optional(),
  UNKNOWN_GRACE_SECONDS: integer(1, 86_400).default(900),
  SANDBOX_PORT: integer(0, 65535).optional(),
  AFTER_RESTORE: flag,
  PUBLIC_URL_TAKEOVER: flag,
  TRUSTED_PROXIES: addressRanges,
});

/** What the sandbox knows, as its README publishes. */
const SANDBOX_CREDENTIALS = {
  PLATFORM_ACCESS_TOKEN: 'sandbox-access-token',
  PLATFORM_PHONE_NUMBER_ID: '109876543210001',
  PLATFORM_BUSINESS_ACCOUNT_ID: '204876543210002',
  PLATFORM_APP_SECRET: 'sandbox-app-secret',
  PLATFORM_WEBHOOK_VERIFY_TOKEN: 'sandbox-verify-token',
};
/** The app of the sandbox. */
const SANDBOX_APP_ID = '300000000000001';
type Credentials = typeof SANDBOX_CREDENTIALS;

/** The validated settings of the environment. */
export type Settings = ReturnType<typeof readSettings>;

/** A setting is invalid; `message` names each variable and what it must be. */
export class SettingsError extends Error {}

/** Reads the environment, as the only place in the code; throws SettingsError with all errors at once. */
export function readSettings(environment: NodeJS.ProcessEnv = process.env) {
  // Compose files turn unset variables into empty ones.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) {
    throw new SettingsError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'));
  }
  const env = parsed.data;
  const errors: string[] = [];
  if (env.ROLE !== 'all' && !env.DATABASE_URL) errors.push(`DATABASE_URL: is required with ROLE=${env.ROLE}`);
  if (env.ROLE !== 'all' && !env.REDIS_URL) errors.push(`REDIS_URL: is required with ROLE=${env.ROLE}`);
  if (env.DATABASE_URL && !env.ENCRYPTION_KEY) {
    errors.push('ENCRYPTION_KEY: is required with DATABASE_URL; generate one with: openssl rand -base64 32');
  }
  errors.push(...credentialErrors(env));
  if (errors.length > 0) throw new SettingsError(errors.join('\n'));
  const credentials = { ...SANDBOX_CREDENTIALS, ...env };
  return {
    role: env.ROLE,
    port: env.PORT,
    host: env.HOST,
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    redisUrl: env.REDIS_URL,
    dataDir: resolve(env.DATA_DIR),
    platform: {
      /** Base URL without the version; undefined until the built-in sandbox has started. */
      apiUrl: env.PLATFORM_API_URL?.replace(/\/+$/, ''),
      apiVersion: env.PLATFORM_API_VERSION,
      timeoutSeconds: env.PLATFORM_TIMEOUT_SECONDS,
      connections: env.PLATFORM_CONNECTIONS,
      /** Hosts beside the API's that serve its files; `*.name` for everything below a name. */
      mediaHosts: env.PLATFORM_MEDIA_HOSTS,
      webhookVerifyToken: credentials.PLATFORM_WEBHOOK_VERIFY_TOKEN,
      accessToken: credentials.PLATFORM_ACCESS_TOKEN,
      appSecret: credentials.PLATFORM_APP_SECRET,
      /** Undefined: the app is subscribed to its webhook fields by hand. */
      appId: env.PLATFORM_APP_ID ?? (env.PLATFORM_API_URL === undefined ? SANDBOX_APP_ID : undefined),
    },
    firstSender: {
      phoneNumberId: credentials.PLATFORM_PHONE_NUMBER_ID,
      businessAccountId: credentials.PLATFORM_BUSINESS_ACCOUNT_ID,
      messagesPerSecond: env.MESSAGES_PER_SECOND,
      messagingTier: env.MESSAGING_TIER,
      /** What the environment itself says of it, without the sandbox's defaults. */
      named: {
        PLATFORM_PHONE_NUMBER_ID: env.PLATFORM_PHONE_NUMBER_ID,
        PLATFORM_BUSINESS_ACCOUNT_ID: env.PLATFORM_BUSINESS_ACCOUNT_ID,
        PLATFORM_ACCESS_TOKEN: env.PLATFORM_ACCESS_TOKEN,
        PLATFORM_APP_SECRET: env.PLATFORM_APP_SECRET,
      },
    },
    bootstrapApiKey: env.BOOTSTRAP_API_KEY,
    encryptionKey: env.ENCRYPTION_KEY,
    previousEncryptionKey: env.ENCRYPTION_KEY_PREVIOUS,
    plans: readPlans(env.PLANS_FILE),
    logLevel: env.LOG_LEVEL,
    maxFileBytes: env.MAX_FILE_MB * 1024 * 1024,
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
    /** Take the platform's subscription from whoever has it. */
    publicUrlTakeover: env.PUBLIC_URL_TAKEOVER,
    /** Proxies whose X-Forwarded-For says who the client is. */
    trustedProxies: env.TRUSTED_PROXIES,
    unknownGraceSeconds: env.UNKNOWN_GRACE_SECONDS,
    sandboxPort: env.SANDBOX_PORT,
    /** Whoever starts the service says that the database was restored. */
    afterRestore: env.AFTER_RESTORE,
  };
}

/** With a platform of its own the service must not be guarded by secrets that everybody can read. */
function credentialErrors({
  PLATFORM_API_URL: url,
  ...given
}: Partial<Credentials> & { PLATFORM_API_URL?: string }): string[] {
  if (url === undefined) return [];
  return (Object.keys(SANDBOX_CREDENTIALS) as (keyof Credentials)[]).flatMap((name) => {
    if (given[name] === undefined) {
      return [`${name}: is required with PLATFORM_API_URL; the sandbox's value is in libs/platform-sandbox/README.md`];
    }
    // The sandbox speaks no TLS, and the platform nothing else.
    const isPublished = given[name] === SANDBOX_CREDENTIALS[name] && url.startsWith('https:');
    return isPublished
      ? [`${name}: is the sandbox's, which everybody knows; set the one of your platform account`]
      : [];
  });
}

function readPlans(file: string): Plans {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new SettingsError(`PLANS_FILE: ${file} cannot be read as JSON: ${(error as Error).message}`);
  }
  const parsed = plansSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => `PLANS_FILE: ${file}: ${issue.path.join('.')} ${issue.message}`);
  throw new SettingsError(errors.join('\n'));
}
