import { Combobox as Parts } from '@base-ui/react/combobox';
import { Field } from './field';
import { Icon } from './icon';
import type { Choice } from './select';

/** A choice of several of many options, with a text filter; those chosen are chips that can be removed. */
export function MultiCombobox<V extends string>({
  label,
  values,
  onChange,
  choices,
  hint,
  placeholder,
}: {
  label: string;
  values: readonly V[];
  onChange: (values: V[]) => void;
  choices: readonly Choice<V>[];
  hint?: string;
  placeholder?: string;
}) {
  return (
    <Field label={label} hint={hint}>
      <Parts.Root<Choice<V>, true>
        multiple
        items={choices}
        value={choices.filter(({ value }) => values.includes(value))}
        isItemEqualToValue={(one, other) => one.value === other.value}
        onValueChange={(chosen, { reason }) => {
          // Escape in the closed list would remove all of them.
          if (reason !== 'escape-key') onChange(chosen.map(({ value }) => value));
        }}
      >
        <Parts.Chips className="input chips">
          <Parts.Value>
            {(chosen: Choice<V>[]) => (
              <>
                {chosen.map((choice) => (
                  <Parts.Chip key={choice.value} className="chip" aria-label={choice.label}>
                    <span className="cut" dir="auto">
                      {choice.label}
                    </span>
                    <Parts.ChipRemove className="chip-remove" aria-label={`Remove ${choice.label}`}>
                      <Icon name="close" size={14} />
                    </Parts.ChipRemove>
                  </Parts.Chip>
                ))}
                <Parts.Input className="chips-input" placeholder={chosen.length === 0 ? placeholder : ''} />
              </>
            )}
          </Parts.Value>
        </Parts.Chips>
        <Parts.Portal>
          <Parts.Positioner className="floating" sideOffset={4}>
            <Parts.Popup className="popup list">
              <Parts.Empty className="list-empty">No matches</Parts.Empty>
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
