import { store, stored } from '../ui/storage';
import { type Catalog, setCatalog } from './translate';

/** The languages of the console, with their own names, and their catalogues; English is the language of the code. */
const LANGUAGES = {
  en: { name: 'English', load: (): Promise<Catalog | null> => Promise.resolve(null) },
  de: { name: 'Deutsch', load: async (): Promise<Catalog | null> => (await import('./catalogs/de.json')).default },
} as const;

export type Language = keyof typeof LANGUAGES;

const KEY = 'console.language';

/** All languages, by their own names. */
export const LANGUAGE_NAMES = Object.entries(LANGUAGES).map(([language, { name }]) => ({
  language: language as Language,
  name,
}));

/** The language stored in this browser, else the first of the browser's languages that the console has, else English. */
export function chosenLanguage(): Language {
  const known = [stored(KEY), ...navigator.languages].map((tag) => tag?.split('-')[0]);
  return known.find((language): language is Language => language !== undefined && language in LANGUAGES) ?? 'en';
}

/** Stores the language in this browser and reloads the page in it; drafts stay. */
export function chooseLanguage(language: Language): void {
  store(KEY, language);
  location.reload();
}

/** Loads the catalogue of the language; must end before any module that translates is loaded. Without its catalogue, the console is English. */
export async function startLanguage(): Promise<void> {
  const language = chosenLanguage();
  const catalog = await LANGUAGES[language].load().catch(() => null);
  const used = catalog?.language ?? 'en';
  // Dates and numbers are those of the browser's region, as in de-AT or en-US.
  const locale = navigator.languages.find((tag) => tag.split('-')[0] === used) ?? inRegionOfBrowser(used);
  setCatalog(catalog, locale);
  document.documentElement.lang = used;
  document.documentElement.dir = catalog?.direction ?? 'ltr';
}

function inRegionOfBrowser(language: string): string {
  return new Intl.Locale(language, { region: new Intl.Locale(navigator.language).maximize().region }).toString();
}
