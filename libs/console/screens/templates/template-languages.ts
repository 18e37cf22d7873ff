import { locale } from '../../language/translate';

const CODES =
  'af ar az bg bn ca cs da de el en en_GB en_US es es_AR es_ES es_MX et fa fi fil fr ga gu ha he hi hr hu id it ja ka kk kn ko ky_KG lo lt ' +
  'lv mk ml mr ms nb nl pa pl pt_BR pt_PT ro ru rw_RW sk sl sq sr sv sw ta te th tr uk ur uz vi zh_CN zh_HK zh_TW zu';

const nameHere = namesIn(locale());
const nameInEnglish = namesIn('en');

/** The languages of templates on the platform, by name. */
export const LANGUAGES = CODES.split(' ')
  .map((code) => ({ code, name: nameHere(code) }))
  .sort((one, other) => one.name.localeCompare(other.name, locale()));

/** The codes by what may be typed, in lower case; reversed, so that the first of two languages with the same name is found. */
const CODE_OF = new Map(
  LANGUAGES.flatMap(({ code, name }) =>
    [code, tagOf(code), name, namesIn(tagOf(code))(code), nameInEnglish(code)].map(
      (one) => [one.toLowerCase(), code] as const,
    ),
  ).reverse(),
);

/** The code of a language typed as a code or as its name, in the language of the console, in itself or in English; else the text. */
export function languageCodeOf(typed: string): string {
  const text = typed.trim();
  return CODE_OF.get(text.toLowerCase()) ?? text;
}

function namesIn(language: string): (code: string) => string {
  const names = new Intl.DisplayNames(language, { type: 'language', languageDisplay: 'standard' });
  return (code) => names.of(tagOf(code)) ?? code;
}

function tagOf(code: string): string {
  return code.replace('_', '-');
}
