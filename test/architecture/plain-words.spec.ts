import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './cruise';

/** Files and folders whose texts keep to docs/style.md. */
const COVERED = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs', 'libs/cli'];

/** The style page quotes what it replaces; pictures have no text. */
const SKIPPED = /^docs\/(style\.md|images\/)/;

/** Phrases that have a plainer form in docs/style.md. */
const PHRASES = [
  /\bwhoever\b/i,
  /\banew\b/i,
  /\bwhat (became|becomes|has become) of\b/i,
  /\bdo(es)? not go on\b/i,
  /\bnobody (here|is signed in|is like|fits|knows|needs|has opted out|learns|waits|writes)\b/i,
  /\bsomebody (has|who|whom|writes|wrote|looked|taps|else)\b/i,
  /\b(database|redis|platform|service) (is|was|goes) away\b/i,
  /\b(one answer|the api|table|invalid_\w+`?) tells\b/i,
  /\b(is|are|be|was) told (once|what happens|so|how)\b/i,
  /\bkeys? lies? within\b/i,
  /\b(who|people who|numbers that) wants? no (more )?messages\b/i,
  /\bmessages? (may )?be sent to again\b/i,
  /\bno way from here\b/i,
  /\bnothing (more )?leaves\b/i,
  /\bbroke(n)? off\b/i,
  /\bcomes? round again\b/i,
  /\bstands? in (the|every|`|docs)/i,
  /\bterminal to ask on\b/i,
  /\bby themselves\b/i,
];

const filesIn = (path: string): string[] =>
  statSync(join(ROOT, path)).isDirectory()
    ? readdirSync(join(ROOT, path)).flatMap((entry) => filesIn(`${path}/${entry}`))
    : [path];

/** The text without its line breaks, so that a phrase is found across two lines. */
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8').replace(/\s+/g, ' ');

const oddPhrases = (text: string): string[] => PHRASES.flatMap((phrase) => phrase.exec(text)?.[0] ?? []);

describe('The words of texts', () => {
  it('are plain', () => {
    const files = COVERED.flatMap(filesIn).filter((file) => !SKIPPED.test(file));
    expect(files.length).toBeGreaterThan(40);
    expect(files.flatMap((file) => oddPhrases(textOf(file)).map((phrase) => `${file}: ${phrase}`))).toEqual([]);
  });

  it('are noticed when they are not', () => {
    expect(oddPhrases('Whoever sends it anew shows what became of it.')).toEqual(['Whoever', 'anew', 'what became of']);
    expect(oddPhrases('The platform is unavailable; retry later.')).toEqual([]);
  });
});
