import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './cruise';

/** Files and folders whose texts keep to docs/style.md. */
const COVERED = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs',
  'libs/cli',
  'libs/client',
  'libs/console/README.md',
  'libs/phone-numbers',
  'libs/platform-sandbox',
  'libs/recipient-files',
  'config',
  'src',
  'test',
];

/** The style page and this test, which quote the phrases; the promises of deliveries; binary files; the generated client. */
const SKIPPED =
  /^docs\/(style\.md|images\/)|^libs\/client\/generated\/|^test\/(architecture\/plain-words|simulation\/(planted-)?delivery-(checks|bugs))|\.(xlsx?|ods)$/;

/** Phrases that have a plainer form in docs/style.md. */
const PHRASES = [
  /\bwhoever\b/i,
  /\banew\b/i,
  /\bwhat (became|becomes|has become) of\b/i,
  /\bnobody (here|is signed in|is like|fits|knows|needs|has opted out|learns|waits|writes)\b/i,
  /\bsomebody (has|who|whom|writes|wrote|looked|taps|else)\b/i,
  /\b(database|redis|platform|service) (is|was|goes) away\b/i,
  /\b(one answer|the api|table|invalid_\w+`?) tells\b/i,
  /\b(is|are|be|was|were) told\b/i,
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
  /\bunder way\b/i,
  /\bfor ever\b/i,
  /\btried again\b/i,
  /\b(is|are|was|were) answered (with )?\d/i,
  /\b(goes|go) on\b/i,
  /\bwent on (by|with|to|until|at)\b/i,
  /\btakes? its time\b/i,
  /\bin vain\b/i,
  /\b(for )?as long as (it|they|a client) likes?\b/i,
  /\bby whomever\b/i,
  /\beverybody else\b/i,
  /\bact in step\b/i,
  /\bof our making\b/i,
  /\btold otherwise\b/i,
  /\btime (to be sent )?has come\b/i,
  /\b(from|waits for) nobody\b/i,
  /\bso many (of them|people|seconds|days|recipients)\b/i,
  /\bknows? nothing\b/i,
  /\b(is|are) asked (again|together|at once)\b/i,
  /\btells? (V8|nobody|that nobody)\b/i,
  /\bso many (seconds|new|people|contacts)\b/i,
  /\beach for itself\b/i,
  /\bin whatever (order|case)\b/i,
  /\b(unless|when|until) (it is )?told\b/i,
  /\blooks after\b/i,
  /\bno part of\b/i,
  /\bgo(es)? away\b/i,
  /\btakes? (it|them|those) back\b/i,
  /\bas they stand\b/i,
  /\bstands? (still|beside|behind|between|around)\b/i,
  /\bhear(s|d)? of\b/i,
  /\bclock on the wall\b/i,
  /\b(within|by) so (many|much)\b/i,
  /\bcomes? late\b/i,
  /\bthat (is|are) none\b/i,
  /\bgives? way\b/i,
  /\blets? [^.]{1,20} happen\b/i,
  /\bbreaks? off\b/i,
  /\bput(s)? aside\b/i,
  /\bholds? up\b/i,
  /\bnobody else\b/i,
  /\bof whom\b/i,
  /\bkeeps? (it|them) apart\b/i,
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

  it('are detected if they are not', () => {
    expect(oddPhrases('Whoever sends it anew shows what became of it.')).toEqual(['Whoever', 'anew', 'what became of']);
    expect(oddPhrases('The platform is unavailable; retry later.')).toEqual([]);
  });
});
