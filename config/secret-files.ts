import { readFileSync } from 'node:fs';

/** Settings that may be read from a file, such as a mounted secret: `DATABASE_URL_FILE` names the file of `DATABASE_URL`. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'REDIS_URL',
  'MEDIA_STORE_URL',
  'ENCRYPTION_KEY',
  'ENCRYPTION_KEY_PREVIOUS',
  'BOOTSTRAP_API_KEY',
  'PLATFORM_ACCESS_TOKEN',
  'PLATFORM_APP_SECRET',
  'PLATFORM_WEBHOOK_VERIFY_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;

/** The environment with the contents of the named files, without their last line break, and what is wrong with them. */
export function withSecretFiles(given: NodeJS.ProcessEnv): { environment: NodeJS.ProcessEnv; errors: string[] } {
  const environment = { ...given };
  const errors: string[] = [];
  for (const name of SECRET_SETTINGS) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    if (given[name] !== undefined) {
      errors.push(`${name}_FILE: is set together with ${name}; unset one of them`);
      continue;
    }
    try {
      environment[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
      if (environment[name] === '') errors.push(`${name}_FILE: ${path} is empty`);
    } catch (error) {
      errors.push(`${name}_FILE: ${path} cannot be read: ${(error as Error).message}`);
    }
  }
  return { environment, errors };
}
