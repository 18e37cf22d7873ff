import { IntlMessageFormat } from 'intl-messageformat';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorTitle } from '../../libs/console/api/error-title';
import { inConsoleWords } from '../../libs/console/api/explanations';
import pageNames from '../../libs/console/app/search/page-names.json';
import explanations from '../../libs/console/api/explanations.json';
import titles from '../../libs/console/api/titles.json';
import type { Catalog } from '../../libs/console/language/translate';
import { REMEDIES, TRANSLATIONS } from '../../libs/console/ui/error-remedies';
import { consoleModules, textsOf } from './console-messages';
import { ROOT } from './cruise';

const CATALOGS = join(ROOT, 'libs/console/language/catalogs');
const NAVIGATION_ENTRY = /path: '([^']+)',\s+scopes: .+\s+nav: \{ task: '\w+', label: t\('([^']+)'\) \}/g;
const modules = consoleModules().map(({ file, text }) => ({ file, ...textsOf(file, text) }));
const uses = modules.flatMap((module) => module.uses);
const messages = new Set([
  ...uses.map(({ key }) => key),
  ...Object.values(explanations).flatMap(({ when, remedy }) => [when, remedy].map(inConsoleWords)),
  ...Object.keys(explanations).map(errorTitle),
  ...Object.keys(titles).map(errorTitle),
]);

/** The values, tags and plural forms that a message has in ICU syntax. */
function partsOf(message: string): string[] {
  const parts = [...message.matchAll(/\{(\w+)[,}]|<(\w+)>/g)].map(([, value, tag]) => value ?? `<${tag}>`);
  return [...new Set(parts)].sort();
}

describe('The messages of the console', () => {
  it('are all translated', () => {
    expect(modules.flatMap(({ untranslated }) => untranslated)).toEqual([]);
  });

  it.each(readdirSync(CATALOGS))('are complete in %s, with the same values, and nothing else', (name) => {
    const catalog = JSON.parse(readFileSync(join(CATALOGS, name), 'utf8')) as Catalog;
    const translated = Object.keys(catalog.messages);
    expect({
      missing: [...messages].filter((key) => catalog.messages[key] === undefined),
      unused: translated.filter((key) => !messages.has(key)),
      empty: translated.filter((key) => !catalog.messages[key]?.trim()),
      otherParts: translated.filter((key) => partsOf(key).join() !== partsOf(catalog.messages[key]!).join()),
    }).toEqual({ missing: [], unused: [], empty: [], otherParts: [] });
  });

  it.each(['en', ...readdirSync(CATALOGS)])('are in ICU syntax where they have values: %s', (name) => {
    const catalog = name === 'en' ? null : (JSON.parse(readFileSync(join(CATALOGS, name), 'utf8')) as Catalog);
    const formatted = uses.filter(({ isFormatted }) => isFormatted).map(({ key }) => key);
    expect(formatted.length).toBeGreaterThan(100);
    const texts = formatted.map((key) => catalog?.messages[key] ?? key.split(' | ').at(-1)!);
    for (const text of texts) expect(() => new IntlMessageFormat(text, catalog?.language ?? 'en')).not.toThrow();
  });

  it.each(readdirSync(CATALOGS))('name WhatsApp instead of a platform: %s', (name) => {
    const { messages: translations } = JSON.parse(readFileSync(join(CATALOGS, name), 'utf8')) as Catalog;
    const texts = [...messages, ...Object.values(translations)];
    expect(texts.filter((text) => /\bplatforms?\b|plattform/i.test(text))).toEqual([]);
  });

  it('explain errors that exist, without methods or fields of the API', () => {
    const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
    const texts = { ...REMEDIES, ...TRANSLATIONS };
    expect(Object.keys(texts).filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
    expect(Object.values(texts).filter((text) => /`|\b(?:GET|POST|PATCH|DELETE)\b/.test(text))).toEqual([]);
  });

  it('have the names of all pages, by which the search finds them in every language', () => {
    const { text } = consoleModules().find(({ file }) => file === 'app/screens.ts')!;
    const named = [...text.matchAll(NAVIGATION_ENTRY)].map(([, path, label]) => [path!, label!] as const);
    expect(named.length).toBeGreaterThan(10);
    const inLanguage = (catalog: Catalog | null) =>
      Object.fromEntries(named.map(([path, label]) => [path, catalog?.messages[label] ?? label]));
    const catalogs = readdirSync(CATALOGS).map(
      (name) => JSON.parse(readFileSync(join(CATALOGS, name), 'utf8')) as Catalog,
    );
    expect(pageNames).toEqual({
      en: inLanguage(null),
      ...Object.fromEntries(catalogs.map((catalog) => [catalog.language, inLanguage(catalog)])),
    });
  });

  it('are found where they stand plainly in the code', () => {
    const plain = (code: string) => textsOf('planted.tsx', code).untranslated;
    expect(plain('const a = <p>Send now</p>;')).toHaveLength(1);
    expect(plain('const a = <Field label="Phone" />;')).toHaveLength(1);
    expect(plain("const a = { label: 'Phone' };")).toHaveLength(1);
    expect(plain("const a = x ? 'No messages yet' : null;")).toHaveLength(1);
    expect(plain('const a = `Sent to ${n} people`;')).toHaveLength(1);
    expect(plain("const a = <p>{t('Send now')}</p>;")).toEqual([]);
    expect(plain('const a = <p className="wide">{n}</p>;')).toEqual([]);
  });
});
