import type { ReactNode } from 'react';
import { Icon } from './icon';

/** One option of Checks. */
export interface Check<V extends string = string> {
  value: V;
  label: ReactNode;
  hint?: ReactNode;
}

/** A group of checkboxes. */
export function Checks<V extends string>({
  legend,
  hint,
  error,
  choices,
  values,
  onChange,
}: {
  legend: string;
  hint?: ReactNode;
  error?: string;
  choices: readonly Check<V>[];
  values: readonly V[];
  onChange: (values: V[]) => void;
}) {
  return (
    <fieldset className="checks">
      <legend className="field-label">{legend}</legend>
      {hint && <p className="field-hint">{hint}</p>}
      <div className="checks-list">
        {choices.map(({ value, label, hint: more }) => (
          <label key={value} className="check">
            <input
              type="checkbox"
              checked={values.includes(value)}
              onChange={({ target }) =>
                onChange(
                  choices
                    .map((one) => one.value)
                    .filter((one) => (one === value ? target.checked : values.includes(one))),
                )
              }
            />
            <span>
              {label}
              {more && <span className="field-hint">{more}</span>}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p className="field-error" role="alert">
          <Icon name="warning" size={14} /> {error}
        </p>
      )}
    </fieldset>
  );
}
