import { join } from 'node:path';
import { readPrivateFile, writePrivateFile } from '../../../infra/secrets/private-file';
import { FirstKeyFile } from '../domain/first-key-file.port';

/** The file `first-api-key` in the data directory, readable by its owner only. */
export class DiskFirstKeyFile extends FirstKeyFile {
  readonly path: string;

  constructor(dataDir: string) {
    super();
    this.path = join(dataDir, 'first-api-key');
  }

  read(): string | null {
    return readPrivateFile(this.path);
  }

  write(key: string): void {
    writePrivateFile(this.path, key);
  }
}
