import { LANGUAGES } from './template-languages';

/** Suggestions for an input whose `list` is `id`. */
export function LanguageList({ id }: { id: string }) {
  return (
    <datalist id={id}>
      {LANGUAGES.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </datalist>
  );
}
