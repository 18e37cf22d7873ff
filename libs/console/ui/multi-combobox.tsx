import { Combobox as Parts } from '@base-ui/react/combobox';
import { ComboboxList } from './combobox-list';
import { Field } from './field';
import { Icon } from './icon';
import type { Choice } from './select';
import { t } from '../language/translate';

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
        autoHighlight
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
                    <Parts.ChipRemove className="chip-remove" aria-label={t('Remove {what}', { what: choice.label })}>
                      <Icon name="close" size={14} />
                    </Parts.ChipRemove>
                  </Parts.Chip>
                ))}
                <Parts.Input className="chips-input" placeholder={chosen.length === 0 ? placeholder : ''} />
              </>
            )}
          </Parts.Value>
        </Parts.Chips>
        <ComboboxList />
      </Parts.Root>
    </Field>
  );
}
