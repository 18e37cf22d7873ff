import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Directory } from '../account/directory';
import type { StoredTemplate } from './template';

/** Keeps the templates of all business accounts in a file, so that they survive a restart. */
export class TemplateFile {
  constructor(
    private readonly path: string,
    private readonly directory: Directory,
  ) {}

  /** Replaces the seeded templates by the stored ones, if the file exists; throws if it cannot be read. */
  load(): void {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    try {
      this.directory.restoreTemplates(JSON.parse(text) as Record<string, StoredTemplate[]>);
    } catch (error) {
      throw new Error(`${this.path} is damaged: delete it, and the sandbox starts with its own templates.`, {
        cause: error,
      });
    }
  }

  /** Writes the current templates; a crash leaves the previous file. */
  save(): void {
    mkdirSync(dirname(this.path), { recursive: true });
    const next = `${this.path}.next`;
    writeFileSync(next, JSON.stringify(this.directory.storedTemplates()));
    renameSync(next, this.path);
  }
}
