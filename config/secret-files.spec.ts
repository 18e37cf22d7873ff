import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings, SettingsError } from './settings';

describe('Settings in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secret-files-'));
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const errorsOf = (environment: NodeJS.ProcessEnv): string => {
    try {
      readSettings(environment);
    } catch (error) {
      if (error instanceof SettingsError) return error.message;
      throw error;
    }
    return '';
  };

  it('count like those in the environment, without their last line break', () => {
    const key = Buffer.alloc(32, 7).toString('base64');
    const settings = readSettings({
      DATABASE_URL_FILE: file('database', 'postgres://user:a b@host:5432/database\n'.replace(' ', '%20')),
      ENCRYPTION_KEY_FILE: file('key', `${key}\r\n`),
      BOOTSTRAP_API_KEY_FILE: file('first', 'a-first-key-of-a-service-0123456789'),
    });
    expect(settings).toMatchObject({
      databaseUrl: 'postgres://user:a%20b@host:5432/database',
      bootstrapApiKey: 'a-first-key-of-a-service-0123456789',
    });
    expect(settings.encryptionKey).toEqual(readSettings({ ENCRYPTION_KEY: key }).encryptionKey);
  });

  it('are validated, and named with their files where they cannot be read', () => {
    expect(errorsOf({ DATABASE_URL_FILE: file('wrong', 'mysql://host') })).toMatch(/^DATABASE_URL: /m);
    expect(errorsOf({ REDIS_URL_FILE: join(folder, 'missing') })).toMatch(
      /^REDIS_URL_FILE: .*missing cannot be read: ENOENT/,
    );
    expect(errorsOf({ PLATFORM_APP_SECRET_FILE: file('empty', '\n') })).toMatch(
      /^PLATFORM_APP_SECRET_FILE: .* is empty/,
    );
    expect(errorsOf({ REDIS_URL: 'redis://host', REDIS_URL_FILE: file('redis', 'redis://host') })).toBe(
      'REDIS_URL_FILE: is set together with REDIS_URL; unset one of them',
    );
  });
});
