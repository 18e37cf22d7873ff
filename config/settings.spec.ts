import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings, SettingsError } from './settings';

const CREDENTIALS = {
  PLATFORM_ACCESS_TOKEN: 'EAAG-token',
  PLATFORM_PHONE_NUMBER_ID: '100',
  PLATFORM_BUSINESS_ACCOUNT_ID: '200',
  PLATFORM_APP_SECRET: '0123456789abcdef',
  PLATFORM_WEBHOOK_VERIFY_TOKEN: 'verify',
};
const SANDBOX = {
  PLATFORM_ACCESS_TOKEN: 'sandbox-access-token',
  PLATFORM_PHONE_NUMBER_ID: '109876543210001',
  PLATFORM_BUSINESS_ACCOUNT_ID: '204876543210002',
  PLATFORM_APP_SECRET: 'sandbox-app-secret',
  PLATFORM_WEBHOOK_VERIFY_TOKEN: 'sandbox-verify-token',
};
const REAL = 'https://graph.facebook.com';

/** The names of the settings that an error lists. */
function refusedIn(environment: NodeJS.ProcessEnv): string[] {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n').map((line) => line.split(':')[0] ?? '');
    throw error;
  }
  return [];
}

describe('Traces', () => {
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

  it('are recorded if there is a collector, unless the SDK or its exporter is off', () => {
    expect(readSettings({}).tracing).toBe(false);
    expect(readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_SERVICE_NAME: 'messages' }).tracing).toBe(false);
    expect(readSettings(collector).tracing).toBe(true);
    expect(readSettings({ ...collector, OTEL_SDK_DISABLED: 'True' }).tracing).toBe(false);
    expect(readSettings({ ...collector, OTEL_TRACES_EXPORTER: 'none' }).tracing).toBe(false);
  });

  it('need the URL of a collector', () => {
    expect(refusedIn({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' })).toEqual(['OTEL_EXPORTER_OTLP_ENDPOINT']);
  });
});

describe('The media hosts', () => {
  it('are those of the platform by default', () => {
    expect(readSettings({}).platform.mediaHosts).toContain('*.fbsbx.com');
    const given = { PLATFORM_MEDIA_HOSTS: 'Media.example.com, *.cdn.example.com' };
    expect(readSettings(given).platform.mediaHosts).toEqual(['media.example.com', '*.cdn.example.com']);
  });

  it.each(['https://example.com', '*', 'a b', '*.*.com', '::1'])('cannot be %s', (value) => {
    expect(refusedIn({ PLATFORM_MEDIA_HOSTS: value })).toEqual(['PLATFORM_MEDIA_HOSTS']);
  });
});

describe('The trusted proxies', () => {
  it('are addresses and ranges, none if absent', () => {
    expect(readSettings({}).trustedProxies).toEqual([]);
    const { trustedProxies } = readSettings({ TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::1,::ffff:192.0.2.1' });
    expect(trustedProxies).toEqual(['10.0.0.0/8', '2001:db8::1', '::ffff:192.0.2.1']);
  });

  it.each(['proxy.internal', '10.0.0.0/33', '10.0.0', 'loopback'])('cannot be %s', (value) => {
    expect(refusedIn({ TRUSTED_PROXIES: value })).toEqual(['TRUSTED_PROXIES']);
  });
});

describe('The metrics port', () => {
  it('is optional, and never that of the API', () => {
    expect(readSettings({}).metricsPort).toBeUndefined();
    expect(readSettings({ METRICS_PORT: '9464' }).metricsPort).toBe(9464);
    expect(readSettings({ METRICS_PORT: '0', PORT: '0' }).metricsPort).toBe(0);
    expect(refusedIn({ METRICS_PORT: '3000' })).toEqual(['METRICS_PORT']);
    expect(refusedIn({ METRICS_PORT: '9464', PORT: '9464' })).toEqual(['METRICS_PORT']);
  });
});

describe('The platform credentials', () => {
  it('are those of the sandbox if no platform is configured', () => {
    expect(readSettings({}).platform).toMatchObject({ apiUrl: undefined, appSecret: SANDBOX.PLATFORM_APP_SECRET });
  });

  it('are all required with a platform, and the error lists all that are missing', () => {
    const { PLATFORM_ACCESS_TOKEN } = CREDENTIALS;
    expect(refusedIn({ PLATFORM_API_URL: REAL }).sort()).toEqual(Object.keys(CREDENTIALS).sort());
    // Compose files turn unset variables into empty ones.
    expect(refusedIn({ PLATFORM_API_URL: REAL, PLATFORM_ACCESS_TOKEN, PLATFORM_APP_SECRET: '' }).sort()).toEqual([
      'PLATFORM_APP_SECRET',
      'PLATFORM_BUSINESS_ACCOUNT_ID',
      'PLATFORM_PHONE_NUMBER_ID',
      'PLATFORM_WEBHOOK_VERIFY_TOKEN',
    ]);
    expect(readSettings({ PLATFORM_API_URL: REAL, ...CREDENTIALS }).platform).toMatchObject({
      apiUrl: REAL,
      appSecret: CREDENTIALS.PLATFORM_APP_SECRET,
    });
  });

  it("include the sandbox's app id with the sandbox's app secret", () => {
    const appIdOf = (environment: NodeJS.ProcessEnv) => readSettings(environment).platform.appId;
    expect(appIdOf({})).toBe('300000000000001');
    expect(appIdOf({ PLATFORM_API_URL: 'http://127.0.0.1:4010', ...SANDBOX })).toBe('300000000000001');
    expect(appIdOf({ PLATFORM_API_URL: REAL, ...CREDENTIALS })).toBeUndefined();
    expect(appIdOf({ PLATFORM_API_URL: REAL, ...CREDENTIALS, PLATFORM_APP_ID: '77' })).toBe('77');
  });

  it.each([
    'http://127.0.0.1:4010',
    'http://[::1]:4010',
    'http://localhost:4010',
    'http://sandbox:4010',
    'http://sandbox.messaging.svc.cluster.local',
    'http://10.1.2.3',
    'http://172.31.0.1',
    'http://192.168.1.1',
    'http://[fd00::1]',
  ])('may be the published ones of the sandbox at %s', (url) => {
    expect(refusedIn({ PLATFORM_API_URL: url, ...SANDBOX })).toEqual([]);
  });

  it.each([
    REAL,
    'https://127.0.0.1',
    'http://sandbox.example.com',
    'http://8.8.8.8',
    'http://172.32.0.1',
    'http://[2001:db8::1]',
  ])('cannot be the published ones of the sandbox at %s, which is public or not a sandbox', (url) => {
    expect(refusedIn({ PLATFORM_API_URL: url, ...SANDBOX }).sort()).toEqual(Object.keys(SANDBOX).sort());
  });
});

describe('The public URL', () => {
  it('is https:// if the platform is, since it reports to no other', () => {
    const real = { PLATFORM_API_URL: REAL, ...CREDENTIALS };
    expect(refusedIn({ ...real, PUBLIC_URL: 'http://api:3000' })).toEqual(['PUBLIC_URL']);
    expect(refusedIn({ ...real, PUBLIC_URL: 'https://messages.example.com' })).toEqual([]);
    const servers = {
      DATABASE_URL: 'postgres://database',
      REDIS_URL: 'redis://redis',
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    };
    expect(refusedIn({ ...real, ...servers, ROLE: 'worker', PUBLIC_URL: 'http://api:3000' })).toEqual([]);
    expect(refusedIn({ PLATFORM_API_URL: 'http://sandbox:4010', ...SANDBOX, PUBLIC_URL: 'http://api:3000' })).toEqual(
      [],
    );
  });
});

describe('A bucket of media', () => {
  const bucketOf = (url: string) => readSettings({ MEDIA_STORE_URL: url }).mediaBucket;

  it('is a name, or has everything that a server other than AWS needs', () => {
    expect(bucketOf('s3://media')).toEqual({ name: 'media', prefix: '', region: 'us-east-1' });
    expect(bucketOf('s3://k:s%2Fe@Media/a/b/?endpoint=http://127.0.0.1:9000&region=eu-1')).toEqual({
      ...{ name: 'Media', prefix: 'a/b/', region: 'eu-1', endpoint: 'http://127.0.0.1:9000' },
      credentials: { accessKeyId: 'k', secretAccessKey: 's/e' },
    });
    expect(bucketOf('s3://k:50%@media')!.credentials!.secretAccessKey).toBe('50%');
  });

  it.each(['https://media', 's3://', 's3://key@media', 's3://media?endpoint=storage', 's3://media?endpoint=ftp://x'])(
    'is refused: %s',
    (url) => {
      expect(refusedIn({ MEDIA_STORE_URL: url })).toEqual(['MEDIA_STORE_URL']);
    },
  );
});

describe('A settings error', () => {
  const messageOf = (environment: NodeJS.ProcessEnv): string => {
    try {
      readSettings(environment);
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('The settings were accepted');
  };

  it.each([
    ['PORT', '70000', 'PORT: "70000" is not a whole number from 0 to 65535, such as 3000'],
    ['MAX_FILE_MB', 'many', 'MAX_FILE_MB: "many" is not a whole number from 1 to 1024, such as 100'],
    ['ROLE', 'boss', 'ROLE: "boss" is not one of all, api, worker'],
    ['AFTER_RESTORE', 'yes', 'AFTER_RESTORE: "yes" is not one of true, false'],
    [
      'PUBLIC_URL',
      'ftp://x',
      'PUBLIC_URL: "ftp://x" is not a URL that starts with http:// or https://, such as https://messages.example.com',
    ],
    [
      'PLATFORM_APP_ID',
      'x'.repeat(70),
      `PLATFORM_APP_ID: "${'x'.repeat(60)}…" is not digits only, such as 300000000000001`,
    ],
  ])('states the value of %s, the allowed values and an example', (name, value, message) => {
    expect(messageOf({ [name]: value })).toBe(message);
  });

  it.each(['BOOTSTRAP_API_KEY', 'ENCRYPTION_KEY', 'DATABASE_URL', 'REDIS_URL', 'MEDIA_STORE_URL'])(
    'reveals no secret: %s',
    (name) => {
      const message = messageOf({ [name]: 'root:pw' }).split('\n')[0];
      expect(message).toMatch(new RegExp(`^${name}: the value \\(not shown, 7 characters\\) is not `));
      expect(message).not.toContain('root:pw');
    },
  );

  it('lists missing settings even if others are invalid', () => {
    const refused = refusedIn({
      PORT: '-1',
      ROLE: 'api',
      REDIS_URL: 'http://x',
      PLATFORM_API_URL: 'graph',
      PLANS_FILE: '/none',
    });
    const credentials = Object.keys(CREDENTIALS);
    expect(refused.sort()).toEqual(
      ['PORT', 'REDIS_URL', 'DATABASE_URL', 'PLATFORM_API_URL', 'PLANS_FILE', ...credentials].sort(),
    );
  });

  it('explains the invalid fields of a plans file', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'plans-')), 'plans.json');
    const plan = { requestsPerSecond: 5, burst: 0.5, extra: 1 };
    await writeFile(file, JSON.stringify({ Free: plan, Pro: 7 }));
    expect(
      messageOf({ PLANS_FILE: file })
        .split('\n')
        .map((line) => line.replace(`PLANS_FILE: ${file}: `, '')),
    ).toEqual([
      'Free.burst: 0.5 is not a whole number above 0, such as 100',
      'Free.maxRowsPerFile is missing: it is a whole number above 0, such as 100',
      'Free has unknown fields: extra',
      'Pro must be an object, such as {"requestsPerSecond":5,"burst":10,"maxRowsPerFile":5000}',
    ]);
  });
});
