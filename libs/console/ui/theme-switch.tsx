import { useState } from 'react';
import { chooseTheme, keptTheme, type Theme } from './theme-choice';

const THEMES: { theme: Theme; label: string }[] = [
  { theme: 'system', label: 'Auto' },
  { theme: 'light', label: 'Light' },
  { theme: 'dark', label: 'Dark' },
];

/** Light, dark, or as the system says; kept in this browser. */
export function ThemeSwitch() {
  const [chosen, setChosen] = useState(keptTheme);
  return (
    <div className="segments" role="group" aria-label="Look">
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
