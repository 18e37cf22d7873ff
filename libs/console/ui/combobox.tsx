import { Combobox as Parts } from '@base-ui/react/combobox';
import { Field } from './field';
import { Icon } from './icon';
import type { Choice } from './select';

/** A select with a text filter, for many options. */
export function Combobox<V extends string>({
  label,
  value,
  onChange,
  choices,
  hint,
  error,
  placeholder,
  emptyText = 'No matches',
}: {
  label: string;
  value: V | null;
  onChange: (value: V | null) => void;
  choices: readonly Choice<V>[];
  hint?: string;
  error?: string;
  placeholder?: string;
  emptyText?: string;
}) {
  return (
    <Field label={label} hint={hint} error={error}>
      <Parts.Root<Choice<V>>
        items={choices}
        value={choices.find((choice) => choice.value === value) ?? null}
        isItemEqualToValue={(one, other) => one.value === other.value}
        onValueChange={(choice) => onChange(choice?.value ?? null)}
      >
        <div className="combobox">
          <Parts.Input className="input" placeholder={placeholder} />
          <Parts.Trigger className="combobox-trigger" aria-label={`Show all: ${label}`}>
            <Icon name="down" />
          </Parts.Trigger>
        </div>
        <Parts.Portal>
          <Parts.Positioner className="floating" sideOffset={4}>
            <Parts.Popup className="popup list">
              <Parts.Empty className="list-empty">{emptyText}</Parts.Empty>
              <Parts.List>
                {(choice: Choice<V>) => (
                  <Parts.Item key={choice.value} value={choice} className="list-item">
                    <Parts.ItemIndicator className="list-check">
                      <Icon name="check" />
                    </Parts.ItemIndicator>
                    {choice.label}
                  </Parts.Item>
                )}
              </Parts.List>
            </Parts.Popup>
          </Parts.Positioner>
        </Parts.Portal>
      </Parts.Root>
    </Field>
  );
}
