import { isEnglish } from '../ui/error-words';

/** The language of the words in downloaded reports. */
export function reportLanguage(): 'en' | 'de' {
  return isEnglish() ? 'en' : 'de';
}
