import { Field as Parts } from '@base-ui/react/field';
import { Input as Control } from '@base-ui/react/input';
import type { InputHTMLAttributes, ReactNode, Ref, TextareaHTMLAttributes } from 'react';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** Validation message. */
  error?: ReactNode;
  /** Shows the label to screen readers only, for example on search fields. */
  hiddenLabel?: boolean;
}

/** A control with its label, hint and error, associated for assistive technology. `children`: a Base UI control. */
export function Field({ label, hint, error, hiddenLabel, children }: FieldProps & { children: ReactNode }) {
  return (
    <Parts.Root className="field" invalid={Boolean(error)}>
      <Parts.Label className={hiddenLabel ? 'visually-hidden' : 'field-label'}>{label}</Parts.Label>
      {children}
      {hint && <Parts.Description className="field-hint">{hint}</Parts.Description>}
      <Parts.Error className="field-error" match={Boolean(error)}>
        {error}
      </Parts.Error>
    </Parts.Root>
  );
}

/** A single-line text field. */
export function Input({
  label,
  hint,
  error,
  hiddenLabel,
  onChange,
  ...rest
}: FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'defaultValue'> & {
    value?: string;
    onChange?: (value: string) => void;
    ref?: Ref<HTMLInputElement>;
  }) {
  return (
    <Field label={label} hint={hint} error={error} hiddenLabel={hiddenLabel}>
      <Control {...rest} className="input" onValueChange={(value) => onChange?.(value)} />
    </Field>
  );
}

/** A multi-line text field. */
export function TextArea({
  label,
  hint,
  error,
  hiddenLabel,
  onChange,
  ...rest
}: FieldProps &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> & {
    onChange?: (value: string) => void;
    ref?: Ref<HTMLTextAreaElement>;
  }) {
  return (
    <Field label={label} hint={hint} error={error} hiddenLabel={hiddenLabel}>
      <Parts.Control
        render={<textarea {...rest} className="input" onChange={(event) => onChange?.(event.target.value)} />}
      />
    </Field>
  );
}
