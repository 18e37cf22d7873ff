import { useState } from 'react';
import { chooseTheme, storedTheme, type Theme } from './theme-choice';
import { t } from '../language/translate';

const THEMES: { theme: Theme; label: string }[] = [
  { theme: 'system', label: t('Auto') },
  { theme: 'light', label: t('Light') },
  { theme: 'dark', label: t('Dark') },
];

/** Switches between system, light and dark theme; stored in this browser. */
export function ThemeSwitch() {
  const [chosen, setChosen] = useState(storedTheme);
  return (
    <div className="segments" role="group" aria-label={t('Theme')}>
      {THEMES.map(({ theme, label }) => (
        <button
          key={theme}
          type="button"
          aria-pressed={theme === chosen}
          onClick={() => {
            chooseTheme(theme);
            setChosen(theme);
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
