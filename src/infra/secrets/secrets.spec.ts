import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { encryptionKeyFrom } from './encryption-key';
import { createPrivateFile, readPrivateFile, writePrivateFile } from './private-file';
import { SecretBox, SecretUnreadableError } from './secret-box';

describe('secrets at rest', () => {
  let dataDir: string;
  beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'secrets-'))));
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('opens what it sealed, for the same purpose and key only', () => {
    const box = new SecretBox(randomBytes(32));
    const sealed = box.seal('EAAG-töken', 'sender 1');
    expect(sealed).not.toContain('EAAG');
    expect(box.open(sealed, 'sender 1')).toBe('EAAG-töken');
    expect(() => box.open(sealed, 'sender 2')).toThrow(SecretUnreadableError);
    expect(() => new SecretBox(randomBytes(32)).open(sealed, 'sender 1')).toThrow(/ENCRYPTION_KEY/);
    expect(() => box.open('v1.', 'sender 1')).toThrow(SecretUnreadableError);
    expect(() => box.open(sealed.slice(0, -2), 'sender 1')).toThrow(SecretUnreadableError);
  });

  it('opens what an earlier key sealed, and names the key of each text', () => {
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

  it('never seals alike twice', () => {
    const box = new SecretBox(randomBytes(32));
    expect(box.seal('a', 'p')).not.toBe(box.seal('a', 'p'));
  });

  it('takes the key of the environment and writes no file', () => {
    const key = randomBytes(32);
    expect(encryptionKeyFrom({ encryptionKey: key.toString('base64'), dataDir })).toEqual(key);
    expect(readPrivateFile(join(dataDir, 'encryption-key'))).toBeNull();
  });

  it('makes a key once, for the owner only, and finds it again', () => {
    const first = encryptionKeyFrom({ dataDir });
    expect(first).toHaveLength(32);
    expect(encryptionKeyFrom({ dataDir })).toEqual(first);
    expect(statSync(join(dataDir, 'encryption-key')).mode & 0o777).toBe(0o600);
  });

  it('refuses a damaged key file in place of making a key that opens nothing', () => {
    writeFileSync(join(dataDir, 'encryption-key'), 'short');
    expect(() => encryptionKeyFrom({ dataDir })).toThrow(/Restore it/);
  });

  it('lets the first maker of a file win, and replaces one only where that is asked', () => {
    const path = join(dataDir, 'deep', 'file');
    expect(createPrivateFile(path, 'one')).toBe('one');
    expect(createPrivateFile(path, 'two')).toBe('one');
    writePrivateFile(path, 'three');
    expect(readFileSync(path, 'utf8')).toBe('three');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
