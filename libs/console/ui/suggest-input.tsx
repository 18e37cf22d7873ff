import { Autocomplete as Parts } from '@base-ui/react/autocomplete';
import { type InputHTMLAttributes, type ReactNode, useState } from 'react';
import { Field } from './field';
import type { Choice } from './select';

/** A text field with suggestions; choosing one replaces the text with its `value`. */
export function SuggestInput({
  label,
  hint,
  error,
  value,
  suggestions,
  onChange,
  ...rest
}: {
  label: string;
  hint?: ReactNode;
  error?: ReactNode;
  value: string;
  suggestions: readonly Choice<string>[];
  onChange: (value: string) => void;
} & Pick<InputHTMLAttributes<HTMLInputElement>, 'placeholder' | 'dir' | 'autoComplete'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Field label={label} hint={hint} error={error}>
      <Parts.Root<Choice<string>>
        mode="none"
        autoHighlight="always"
        items={suggestions}
        itemToStringValue={(suggestion) => suggestion.value}
        value={value}
        onValueChange={onChange}
        open={isOpen && suggestions.length > 0}
        onOpenChange={setOpen}
      >
        <Parts.Input {...rest} className="input" />
        <Parts.Portal>
          <Parts.Positioner className="floating" sideOffset={4}>
            <Parts.Popup className="popup list">
              <Parts.List>
                {(suggestion: Choice<string>) => (
                  <Parts.Item key={suggestion.value} value={suggestion} className="list-item">
                    {suggestion.label}
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
