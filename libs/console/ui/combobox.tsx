import { Combobox as Parts } from '@base-ui/react/combobox';
import { ComboboxList } from './combobox-list';
import { Field } from './field';
import { Icon } from './icon';
import type { Choice } from './select';
import { t } from '../language/translate';

/** A select with a text filter, for many options. */
export function Combobox<V extends string>({
  label,
  value,
  onChange,
  choices,
  hint,
  error,
  placeholder,
  emptyText,
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
        autoHighlight
        items={choices}
        value={choices.find((choice) => choice.value === value) ?? null}
        isItemEqualToValue={(one, other) => one.value === other.value}
        onValueChange={(choice) => onChange(choice?.value ?? null)}
      >
        <div className="combobox">
          <Parts.Input className="input" placeholder={placeholder} />
          <Parts.Trigger className="combobox-trigger" aria-label={t('Show all: {label}', { label })}>
            <Icon name="down" />
          </Parts.Trigger>
        </div>
        <ComboboxList emptyText={emptyText} />
      </Parts.Root>
    </Field>
  );
}
