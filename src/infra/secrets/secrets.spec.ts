import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { encryptionKeyFrom } from './encryption-key';
import { createPrivateFile, readPrivateFile, writePrivateFile } from './private-file';
import { SecretBox, SecretUnreadableError } from './secret-box';

describe('Secrets at rest', () => {
  let dataDir: string;
  beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'secrets-'))));
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('are decrypted only with the same purpose and key', () => {
    const box = new SecretBox(randomBytes(32));
    const sealed = box.seal('EAAG-töken', 'sender 1');
    expect(sealed).not.toContain('EAAG');
    expect(box.open(sealed, 'sender 1')).toBe('EAAG-töken');
    expect(() => box.open(sealed, 'sender 2')).toThrow(SecretUnreadableError);
    expect(() => new SecretBox(randomBytes(32)).open(sealed, 'sender 1')).toThrow(/ENCRYPTION_KEY/);
    expect(() => box.open('v1.', 'sender 1')).toThrow(SecretUnreadableError);
    expect(() => box.open(sealed.slice(0, -2), 'sender 1')).toThrow(SecretUnreadableError);
  });

  it('are decrypted with an earlier key, and name their key', () => {
    const [old, current] = [randomBytes(32), randomBytes(32)];
    const before = new SecretBox(old).seal('EAAG', 'sender 1');
    const box = new SecretBox(current, [old]);
    expect(box.open(before, 'sender 1')).toBe('EAAG');
    expect(() => box.open(before, 'sender 2')).toThrow(SecretUnreadableError);
    const now = box.seal('EAAG', 'sender 1');
    expect([before, now].map((text) => box.isCurrent(text))).toEqual([false, true]);
    expect(now).toMatch(/^v2\.[0-9a-f]{8}\./);
    // Version 1 did not name its key.
    const unnamed = before.replace(/^v2\.[0-9a-f]{8}\./, 'v1.');
    expect(box.open(unnamed, 'sender 1')).toBe('EAAG');
    expect(box.isCurrent(unnamed)).toBe(false);
    expect(() => new SecretBox(current).open(before, 'sender 1')).toThrow(/ENCRYPTION_KEY_PREVIOUS/);
  });

  it('never have the same ciphertext twice', () => {
    const box = new SecretBox(randomBytes(32));
    expect(box.seal('a', 'p')).not.toBe(box.seal('a', 'p'));
  });

  it('use the key of the environment, without writing a file', () => {
    const key = randomBytes(32);
    expect(encryptionKeyFrom({ encryptionKey: key.toString('base64'), dataDir })).toEqual(key);
    expect(readPrivateFile(join(dataDir, 'encryption-key'))).toBeNull();
  });

  it('use a key file that is created once and readable only by its owner', () => {
    const first = encryptionKeyFrom({ dataDir });
    expect(first).toHaveLength(32);
    expect(encryptionKeyFrom({ dataDir })).toEqual(first);
    expect(statSync(join(dataDir, 'encryption-key')).mode & 0o777).toBe(0o600);
  });

  it('reject a damaged key file instead of creating a useless key', () => {
    writeFileSync(join(dataDir, 'encryption-key'), 'short');
    expect(() => encryptionKeyFrom({ dataDir })).toThrow(/Restore it/);
  });

  it('are in files that the first writer creates and only an explicit write replaces', () => {
    const path = join(dataDir, 'deep', 'file');
    expect(createPrivateFile(path, 'one')).toBe('one');
    expect(createPrivateFile(path, 'two')).toBe('one');
    writePrivateFile(path, 'three');
    expect(readFileSync(path, 'utf8')).toBe('three');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
