import type { Choice } from './select';

/** A segmented control for two or three options. */
export function Segments<V extends string>({
  label,
  value,
  onChange,
  choices,
}: {
  label: string;
  value: V;
  onChange: (value: V) => void;
  choices: readonly Choice<V>[];
}) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
