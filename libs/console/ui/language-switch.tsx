import { chooseLanguage, chosenLanguage, LANGUAGE_NAMES } from '../language/language';
import { t } from '../language/translate';

/** Switches between the languages, each under its own name; stored in this browser. `around`: runs the switch, which reloads the page. */
export function LanguageSwitch({ around = (change) => change() }: { around?: (change: () => void) => void }) {
  const chosen = chosenLanguage();
  return (
    <div className="segments" role="group" aria-label={t('Language')}>
      {LANGUAGE_NAMES.map(({ language, name }) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={language === chosen}
          onClick={() => language !== chosen && around(() => chooseLanguage(language))}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
