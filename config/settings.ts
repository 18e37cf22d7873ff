import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { mediaBucket } from './media-bucket';
import { withSecretFiles } from './secret-files';

const WHOLE = 'a whole number above 0, such as 100';
const whole = z.number({ error: WHOLE }).int({ error: WHOLE }).positive({ error: WHOLE });
const RATE = 'a number above 0, such as 5';

/** Limits of a plan: request rate, rows per file, resources per account, and replay rate. */
const planSchema = z.strictObject({
  requestsPerSecond: z.number({ error: RATE }).positive({ error: RATE }),
  burst: whole,
  maxRowsPerFile: whole,
  maxApiKeys: whole.optional(),
  maxGroups: whole.optional(),
  maxContacts: whole.optional(),
  maxWebhookEndpoints: whole.optional(),
  maxOpenJobs: whole.optional(),
  maxWaitingEvents: whole.optional(),
  replayedPerSecond: whole.optional(),
});
const plansSchema = z
  .record(z.string().min(1), planSchema)
  .refine((plans) => 'Enterprise' in plans, 'must contain the plan "Enterprise", which the first account gets');
export type Plan = z.infer<typeof planSchema>;
export type Plans = Readonly<Record<string, Plan>>;

/** The number of people with whom a business may start conversations in 24 hours. */
const MESSAGING_TIERS = ['250', '1000', '2000', '10000', '100000', 'Unlimited'] as const;

/** The error messages describe the allowed values with an example; they complete the sentence `"x" is not …`. */
const integer = (min: number, max: number, example: number) => {
  const error = `a whole number from ${min} to ${max}, such as ${example}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
};
const url = (protocols: readonly string[], example: string) =>
  z.url({
    protocol: new RegExp(`^(${protocols.join('|')})$`),
    error: `a URL that starts with ${protocols.join(':// or ')}://, such as ${example}`,
  });
const oneOf = <const T extends readonly string[]>(words: T) => z.enum(words, { error: `one of ${words.join(', ')}` });
const digits = (example: string) => z.string().regex(/^\d+$/, `digits only, such as ${example}`);

const addressRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);
/** Addresses and CIDR ranges, separated by commas. */
const addressRanges = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
  .refine(
    (parts) => parts.every((part) => addressRange.safeParse(part).success),
    'addresses or CIDR ranges, separated by commas, such as 10.0.0.0/8,2001:db8::1',
  );

/** Host names, separated by commas; converted to lower case, as in URLs. */
const hostNames = z
  .string()
  .default('*.fbsbx.com,*.fbcdn.net,*.whatsapp.net')
  .transform((text) => text.split(',').flatMap((part) => part.trim().toLowerCase() || []))
  .refine(
    (names) => names.every((name) => /^(\*\.)?([a-z0-9-]+\.)*[a-z0-9-]+$/.test(name)),
    'host names, separated by commas, such as lookaside.fbsbx.com,*.fbcdn.net',
  );

const encryptionKey = z
  .string()
  .refine(
    (text) => Buffer.from(text, 'base64').length === 32,
    '32 bytes in base64, generated for example with: openssl rand -base64 32',
  )
  .optional();

const flag = oneOf(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');

const DEFAULT_PLANS = resolve(__dirname, 'plans.json');

const environmentSchema = z.object({
  PORT: integer(0, 65535, 3000).default(3000),
  HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: integer(0, 65535, 9464).optional(),
  DATABASE_URL: url(['postgres', 'postgresql'], 'postgres://user:password@host:5432/database').optional(),
  DATABASE_POOL_SIZE: integer(2, 500, 20).default(20),
  REDIS_URL: url(['redis', 'rediss'], 'redis://:password@host:6379').optional(),
  DATA_DIR: z.string().default('./data'),
  MEDIA_STORE_URL: mediaBucket.optional(),
  ROLE: oneOf(['all', 'api', 'worker']).default('all'),
  PLATFORM_API_URL: url(['http', 'https'], 'https://graph.facebook.com').optional(),
  PLATFORM_API_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/, 'a version such as v25.0')
    .default('v25.0'),
  PLATFORM_ACCESS_TOKEN: z.string().optional(),
  PLATFORM_PHONE_NUMBER_ID: digits('109876543210001').optional(),
  PLATFORM_BUSINESS_ACCOUNT_ID: digits('204876543210002').optional(),
  PLATFORM_APP_SECRET: z.string().optional(),
  PLATFORM_APP_ID: digits('300000000000001').optional(),
  PLATFORM_WEBHOOK_VERIFY_TOKEN: z.string().optional(),
  MESSAGES_PER_SECOND: integer(1, 100_000, 80).optional(),
  MESSAGING_TIER: oneOf(MESSAGING_TIERS).optional(),
  BOOTSTRAP_API_KEY: z
    .string()
    .regex(
      /^[\x21-\x7e]{24,200}$/,
      '24 to 200 printable ASCII characters without spaces, generated for example with: openssl rand -hex 24',
    )
    .optional(),
  ENCRYPTION_KEY: encryptionKey,
  ENCRYPTION_KEY_PREVIOUS: encryptionKey,
  PLANS_FILE: z.string().optional(),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  MAX_FILE_MB: integer(1, 1024, 100).default(100),
  PLATFORM_TIMEOUT_SECONDS: integer(1, 300, 30).default(30),
  PLATFORM_MEDIA_HOSTS: hostNames,
  PLATFORM_CONNECTIONS: integer(8, 20_000, 512).default(512),
  PUBLIC_URL: url(['http', 'https'], 'https://messages.example.com').optional(),
  UNKNOWN_GRACE_SECONDS: integer(1, 86_400, 900).default(900),
  SANDBOX_PORT: integer(0, 65535, 4010).optional(),
  AFTER_RESTORE: flag,
  EVENTS_AFTER_RESTORE: flag,
  PUBLIC_URL_TAKEOVER: flag,
  TRUSTED_PROXIES: addressRanges,
  MAX_CONNECTIONS: integer(16, 1_000_000, 10_000).default(10_000),
  MAX_CONNECTIONS_PER_ADDRESS: integer(1, 1_000_000, 1000).default(1000),
  SHUTDOWN_DELAY_SECONDS: integer(0, 300, 5).default(0),
  WEBHOOK_ALLOW_PRIVATE: flag,
  OTEL_EXPORTER_OTLP_ENDPOINT: url(['http', 'https'], 'http://collector:4318').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.string().optional(),
});

/** The sandbox's credentials, published in its README. */
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

/** Invalid settings; `message` names each variable and the allowed values. */
export class SettingsError extends Error {}

/** Reads the environment, the only place in the code that does; throws SettingsError with all errors at once. */
export function readSettings(environment: NodeJS.ProcessEnv = process.env) {
  // Compose files turn unset variables into empty ones.
  const named = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { environment: given, errors: fileErrors } = withSecretFiles(named);
  const parsed = environmentSchema.safeParse(given);
  const plans = readPlans(given.PLANS_FILE ?? DEFAULT_PLANS);
  const errors = [
    ...fileErrors,
    ...(parsed.error ? wrongValues(parsed.error.issues, given) : []),
    ...missingSettings(given),
    ...portErrors(given),
    ...publicUrlErrors(given),
    ...credentialErrors(given),
    ...('errors' in plans ? plans.errors : []),
  ];
  if (!parsed.success || 'errors' in plans || errors.length > 0) throw new SettingsError(errors.join('\n'));
  const env = parsed.data;
  const credentials = { ...SANDBOX_CREDENTIALS, ...env };
  return {
    role: env.ROLE,
    port: env.PORT,
    host: env.HOST,
    /** Undefined: the metrics are served at `port`. */
    metricsPort: env.METRICS_PORT,
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    redisUrl: env.REDIS_URL,
    dataDir: resolve(env.DATA_DIR),
    /** Undefined: received media are files in `dataDir`. */
    mediaBucket: env.MEDIA_STORE_URL,
    platform: {
      /** Base URL without the version; undefined until the built-in sandbox has started. */
      apiUrl: env.PLATFORM_API_URL?.replace(/\/+$/, ''),
      /** Whether messages reach nobody: the built-in sandbox, or one at a private address with the sandbox's public values. */
      isSandbox:
        env.PLATFORM_API_URL === undefined ||
        (isOwnSandbox(env.PLATFORM_API_URL) &&
          credentials.PLATFORM_ACCESS_TOKEN === SANDBOX_CREDENTIALS.PLATFORM_ACCESS_TOKEN),
      apiVersion: env.PLATFORM_API_VERSION,
      timeoutSeconds: env.PLATFORM_TIMEOUT_SECONDS,
      connections: env.PLATFORM_CONNECTIONS,
      /** Additional hosts that serve the platform's files; `*.name` for subdomains. */
      mediaHosts: env.PLATFORM_MEDIA_HOSTS,
      webhookVerifyToken: credentials.PLATFORM_WEBHOOK_VERIFY_TOKEN,
      accessToken: credentials.PLATFORM_ACCESS_TOKEN,
      appSecret: credentials.PLATFORM_APP_SECRET,
      /** Undefined: the app's webhook fields are subscribed manually. */
      appId:
        env.PLATFORM_APP_ID ??
        (credentials.PLATFORM_APP_SECRET === SANDBOX_CREDENTIALS.PLATFORM_APP_SECRET ? SANDBOX_APP_ID : undefined),
    },
    firstSender: {
      phoneNumberId: credentials.PLATFORM_PHONE_NUMBER_ID,
      businessAccountId: credentials.PLATFORM_BUSINESS_ACCOUNT_ID,
      messagesPerSecond: env.MESSAGES_PER_SECOND,
      messagingTier: env.MESSAGING_TIER,
      /** The values in the environment, without the sandbox's defaults. */
      fromEnvironment: {
        PLATFORM_PHONE_NUMBER_ID: env.PLATFORM_PHONE_NUMBER_ID,
        PLATFORM_BUSINESS_ACCOUNT_ID: env.PLATFORM_BUSINESS_ACCOUNT_ID,
        PLATFORM_ACCESS_TOKEN: env.PLATFORM_ACCESS_TOKEN,
        PLATFORM_APP_SECRET: env.PLATFORM_APP_SECRET,
      },
    },
    bootstrapApiKey: env.BOOTSTRAP_API_KEY,
    encryptionKey: env.ENCRYPTION_KEY,
    previousEncryptionKey: env.ENCRYPTION_KEY_PREVIOUS,
    plans: plans.plans,
    logLevel: env.LOG_LEVEL,
    maxFileBytes: env.MAX_FILE_MB * 1024 * 1024,
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
    /** Whether to replace an existing webhook subscription of another address. */
    publicUrlTakeover: env.PUBLIC_URL_TAKEOVER,
    /** Proxies whose X-Forwarded-For is trusted. */
    trustedProxies: env.TRUSTED_PROXIES,
    maxConnections: { total: env.MAX_CONNECTIONS, perAddress: env.MAX_CONNECTIONS_PER_ADDRESS },
    /** How long requests are served after SIGTERM. */
    shutdownDelaySeconds: env.SHUTDOWN_DELAY_SECONDS,
    unknownGraceSeconds: env.UNKNOWN_GRACE_SECONDS,
    sandboxPort: env.SANDBOX_PORT,
    /** Whether webhook endpoints may have private addresses, plain HTTP and any port. */
    webhookAllowPrivate: env.WEBHOOK_ALLOW_PRIVATE,
    /** Whether spans are recorded; the SDK reads OTEL_* itself. */
    tracing:
      env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined &&
      env.OTEL_TRACES_EXPORTER !== 'none' &&
      env.OTEL_SDK_DISABLED?.toLowerCase() !== 'true',
    /** Headers for the collector, in the form of the SDK. */
    tracingHeaders: env.OTEL_EXPORTER_OTLP_HEADERS,
    /** Declares that the database was restored. */
    afterRestore: env.AFTER_RESTORE,
    /** Allows the delivery of events of a restored database. */
    eventsAfterRestore: env.EVENTS_AFTER_RESTORE,
  };
}

/** Settings whose values errors must not reveal. */
const SECRET = /TOKEN|SECRET|KEY|HEADERS|^(DATABASE|REDIS|MEDIA_STORE)_URL$/;
const MAX_SHOWN_LENGTH = 60;

/** One line per invalid setting: the value, what is allowed, an example. */
function wrongValues(issues: readonly z.core.$ZodIssue[], given: NodeJS.ProcessEnv): string[] {
  const first = new Map(issues.map(({ path, message }) => [String(path[0]), message] as const).reverse());
  return [...first].reverse().map(([name, allowed]) => {
    const value = given[name] ?? '';
    const shown = JSON.stringify(value.length > MAX_SHOWN_LENGTH ? `${value.slice(0, MAX_SHOWN_LENGTH)}…` : value);
    return `${name}: ${SECRET.test(name) ? `the value (not shown, ${value.length} characters)` : shown} is not ${allowed}`;
  });
}

/** Missing settings that other settings require, whether those are valid or not. */
function missingSettings({ ROLE: role, DATABASE_URL, REDIS_URL, ENCRYPTION_KEY }: NodeJS.ProcessEnv): string[] {
  const errors: string[] = [];
  if (role === 'api' || role === 'worker') {
    if (!DATABASE_URL) {
      errors.push(`DATABASE_URL: is required with ROLE=${role}, such as postgres://user:password@host:5432/database`);
    }
    if (!REDIS_URL) errors.push(`REDIS_URL: is required with ROLE=${role}, such as redis://:password@host:6379`);
  }
  if (DATABASE_URL && !ENCRYPTION_KEY) {
    errors.push('ENCRYPTION_KEY: is required with DATABASE_URL; generate one with: openssl rand -base64 32');
  }
  return errors;
}

/** Port 0 is exempt: each server gets a different free port. */
function portErrors({ PORT = '3000', METRICS_PORT }: NodeJS.ProcessEnv): string[] {
  if (METRICS_PORT === undefined || Number(METRICS_PORT) !== Number(PORT) || Number(PORT) === 0) return [];
  return [`METRICS_PORT: ${PORT} is already the PORT; set another port, or none to serve /metrics there`];
}

/** Without this check a service whose URL is plain HTTP would send, but never receive a status. */
function publicUrlErrors({ ROLE, PUBLIC_URL = '', PLATFORM_API_URL = '' }: NodeJS.ProcessEnv): string[] {
  // Workers receive no reports.
  if (ROLE === 'worker' || !/^https:/i.test(PLATFORM_API_URL) || !/^http:/i.test(PUBLIC_URL)) return [];
  return [
    `PUBLIC_URL: ${JSON.stringify(PUBLIC_URL)} is plain HTTP, but the platform sends webhooks only to https:// URLs`,
  ];
}

/** Ranges of this machine and of private networks, in the terms of ipaddr.js. */
const PRIVATE_RANGES = ['loopback', 'private', 'linkLocal', 'uniqueLocal'];

/** Whether the URL may be a private sandbox. The sandbox does not support TLS, and the platform requires it. */
function isOwnSandbox(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'http:') return false;
  if (isIP(host) !== 0) return PRIVATE_RANGES.includes(ipaddr.process(host).range());
  // Names outside public DNS, such as those of containers.
  return !host.includes('.') || /\.(localhost|local|internal)$/.test(host);
}

/** With a real platform, published secrets must not protect the service. */
function credentialErrors({ PLATFORM_API_URL: url, ...given }: NodeJS.ProcessEnv): string[] {
  if (url === undefined) return [];
  const isSandbox = isOwnSandbox(url);
  return (Object.keys(SANDBOX_CREDENTIALS) as (keyof Credentials)[]).flatMap((name) => {
    if (given[name] === undefined) {
      const sandbox = isSandbox ? "; the sandbox's value is in libs/platform-sandbox/README.md" : '';
      return [`${name}: is required with PLATFORM_API_URL${sandbox}`];
    }
    return given[name] === SANDBOX_CREDENTIALS[name] && URL.canParse(url) && !isSandbox
      ? [`${name}: is the sandbox's public value; set that of your platform account`]
      : [];
  });
}

function readPlans(file: string): { plans: Plans } | { errors: string[] } {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return { errors: [`PLANS_FILE: ${file} cannot be read as JSON: ${(error as Error).message}`] };
  }
  const parsed = plansSchema.safeParse(content);
  if (parsed.success) return { plans: parsed.data };
  return { errors: parsed.error.issues.map((issue) => `PLANS_FILE: ${file}: ${wrongPlan(issue, content)}`) };
}

function wrongPlan(issue: z.core.$ZodIssue, content: unknown): string {
  const where = issue.path.join('.');
  const value = issue.path.reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown>)[key], content);
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${where} has unknown fields: ${issue.keys.join(', ')}`;
    case 'custom':
      return issue.message;
    case 'invalid_type':
    case 'too_small':
      if (value === undefined) return `${where} is missing: it is ${issue.message}`;
      if (issue.path.length === 2) return `${where}: ${JSON.stringify(value)} is not ${issue.message}`;
      return `${where || 'the file'} must be an object, such as {"requestsPerSecond":5,"burst":10,"maxRowsPerFile":5000}`;
    default:
      return `${where} cannot be used`;
  }
}
