import { Select as Parts } from '@base-ui/react/select';
import { type ReactNode, type RefObject, useRef } from 'react';
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
  focusAfterChoice,
}: {
  label: string;
  value: V;
  onChange: (value: V) => void;
  choices: readonly Choice<V>[];
  hint?: string;
  error?: ReactNode;
  hiddenLabel?: boolean;
  disabled?: boolean;
  /** What takes the focus when an option is chosen; by default the dropdown, where typing chooses another. */
  focusAfterChoice?: RefObject<HTMLElement | null>;
}) {
  const hasChosen = useRef(false);
  return (
    <Field label={label} hint={hint} error={error} hiddenLabel={hiddenLabel}>
      <Parts.Root<V>
        items={[...choices]}
        value={value}
        disabled={disabled}
        onValueChange={(next) => next !== null && onChange(next)}
        onOpenChange={(_isOpen, { reason }) => {
          hasChosen.current = reason === 'item-press';
        }}
      >
        <Parts.Trigger className="input select">
          <Parts.Value />
          <Parts.Icon className="select-icon">
            <Icon name="down" />
          </Parts.Icon>
        </Parts.Trigger>
        <Parts.Portal>
          <Parts.Positioner className="floating" sideOffset={4} alignItemWithTrigger={false}>
            <Parts.Popup
              className="popup list"
              finalFocus={() => {
                if (!hasChosen.current || !focusAfterChoice?.current) return true;
                // Returned, its first control would take the focus.
                focusAfterChoice.current.focus();
                return false;
              }}
            >
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
