import { useState } from 'react';
import { chooseTheme, storedTheme, type Theme } from './theme-choice';

const THEMES: { theme: Theme; label: string }[] = [
  { theme: 'system', label: 'Auto' },
  { theme: 'light', label: 'Light' },
  { theme: 'dark', label: 'Dark' },
];

/** Switches between system, light and dark theme; stored in this browser. */
export function ThemeSwitch() {
  const [chosen, setChosen] = useState(storedTheme);
  return (
    <div className="segments" role="group" aria-label="Theme">
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
