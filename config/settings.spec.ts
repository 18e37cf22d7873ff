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

describe('The hosts of media', () => {
  it('are those of the platform, unless others are given', () => {
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

describe('The credentials of the platform', () => {
  it('are those of the sandbox when no platform is set', () => {
    expect(readSettings({}).platform).toMatchObject({ apiUrl: undefined, appSecret: SANDBOX.PLATFORM_APP_SECRET });
  });

  it('are all required with a platform, and the error names all that are missing', () => {
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

  it('may be those that the sandbox publishes only without TLS, which the real platform does not speak', () => {
    expect(refusedIn({ PLATFORM_API_URL: 'http://127.0.0.1:4010', ...SANDBOX })).toEqual([]);
    expect(refusedIn({ PLATFORM_API_URL: REAL, ...SANDBOX }).sort()).toEqual(Object.keys(SANDBOX).sort());
  });
});
