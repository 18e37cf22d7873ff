import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A code block of a page of docs, with the heading of its section. */
export interface DocumentedCode {
  section: string;
  code: string;
}

/** The code blocks of a language in a page of docs, in order. */
export function documentedCode(page: string, language: string): DocumentedCode[] {
  const text = readFileSync(join(__dirname, '../../docs', page), 'utf8');
  const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms');
  return text.split(/^## /m).flatMap((section) => {
    const [heading] = section.split('\n');
    return [...section.matchAll(block)].map(([, code]) => ({ section: heading!, code: code! }));
  });
}
