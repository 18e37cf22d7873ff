import { Select as Parts } from '@base-ui/react/select';
import type { ReactNode } from 'react';
import { Field } from './field';
import { Icon } from './icon';

/** One option of a Select or a Combobox. */
export interface Choice<V extends string = string> {
  value: V;
  label: string;
}

/** A dropdown for a few options. */
export function Select<V extends string>({
  label,
  value,
  onChange,
  choices,
  hint,
  error,
  hiddenLabel,
  disabled,
}: {
  label: string;
  value: V;
  onChange: (value: V) => void;
  choices: readonly Choice<V>[];
  hint?: string;
  error?: ReactNode;
  hiddenLabel?: boolean;
  disabled?: boolean;
}) {
  return (
    <Field label={label} hint={hint} error={error} hiddenLabel={hiddenLabel}>
      <Parts.Root<V>
        items={[...choices]}
        value={value}
        disabled={disabled}
        onValueChange={(next) => next !== null && onChange(next)}
      >
        <Parts.Trigger className="input select" data-unset={value === '' || undefined}>
          <Parts.Value />
          <Parts.Icon className="select-icon">
            <Icon name="down" />
          </Parts.Icon>
        </Parts.Trigger>
        <Parts.Portal>
          <Parts.Positioner className="floating" sideOffset={4} alignItemWithTrigger={false}>
            <Parts.Popup className="popup list">
              {choices.map((choice) => (
                <Parts.Item key={choice.value} value={choice.value} className="list-item">
                  <Parts.ItemIndicator className="list-check">
                    <Icon name="check" />
                  </Parts.ItemIndicator>
                  <Parts.ItemText>{choice.label}</Parts.ItemText>
                </Parts.Item>
              ))}
            </Parts.Popup>
          </Parts.Positioner>
        </Parts.Portal>
      </Parts.Root>
    </Field>
  );
}
