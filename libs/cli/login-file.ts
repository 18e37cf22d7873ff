import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The URL of the service and the key, as stored by `messaging login`. */
export interface Login {
  url: string;
  key: string;
}

/** `$XDG_CONFIG_HOME/messaging/login.json`, by default below `~/.config`. */
export function loginFile(): string {
  return join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'messaging', 'login.json');
}

/** The stored login; null without one. */
export function storedLogin(): Login | null {
  try {
    const { url, key } = JSON.parse(readFileSync(loginFile(), 'utf8')) as Partial<Login>;
    return url && key ? { url, key } : null;
  } catch {
    return null;
  }
}

/** Stores the login, readable by its owner only. */
export function storeLogin(login: Login): void {
  const file = loginFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
  // The mode applies to new files only.
  chmodSync(file, 0o600);
}

/** Deletes the login. */
export function forgetLogin(): void {
  rmSync(loginFile(), { force: true });
}
