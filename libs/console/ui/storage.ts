/** What is stored in this browser under `key`; null if nothing is, or storage is blocked. */
export function stored(key: string): string | null {
  return withStorage('localStorage', (storage) => storage.getItem(key)) ?? null;
}

/** Stores `value` in this browser, or removes it if null; without effect if storage is blocked. */
export function store(key: string, value: string | null): void {
  withStorage('localStorage', (storage) => set(storage, key, value));
}

/** Like `stored`, for this tab: until it is closed. */
export function storedInTab(key: string): string | null {
  return withStorage('sessionStorage', (storage) => storage.getItem(key)) ?? null;
}

/** Like `store`, for this tab. */
export function storeInTab(key: string, value: string | null): void {
  withStorage('sessionStorage', (storage) => set(storage, key, value));
}

/** The keys of this tab that start with `prefix`. */
export function keysInTab(prefix: string): string[] {
  return withStorage('sessionStorage', (storage) => Object.keys(storage).filter((key) => key.startsWith(prefix))) ?? [];
}

function set(storage: Storage, key: string, value: string | null): void {
  if (value === null) storage.removeItem(key);
  else storage.setItem(key, value);
}

function withStorage<T>(kind: 'localStorage' | 'sessionStorage', access: (storage: Storage) => T): T | undefined {
  try {
    return access(window[kind]);
  } catch {
    // Blocked or full: values last until the page is closed.
    return undefined;
  }
}
