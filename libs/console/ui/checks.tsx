import { type ReactNode, useId } from 'react';
import { Icon } from './icon';

/** One option of Checks. */
export interface Check<V extends string = string> {
  value: V;
  label: ReactNode;
  hint?: ReactNode;
}

/** A group of options of which one is chosen. */
export function OneOf<V extends string>({
  legend,
  choices,
  value,
  onChange,
}: {
  legend: string;
  choices: readonly Check<V>[];
  value: V;
  onChange: (value: V) => void;
}) {
  const name = useId();
  return (
    <fieldset className="checks">
      <legend className="field-label">{legend}</legend>
      <div className="checks-list">
        {choices.map((choice) => (
          <label key={choice.value} className="check">
            <input type="radio" name={name} checked={choice.value === value} onChange={() => onChange(choice.value)} />
            <span>
              {choice.label}
              {choice.hint && <span className="field-hint">{choice.hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
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
