import { Combobox as Parts } from '@base-ui/react/combobox';
import { Icon } from './icon';
import type { Choice } from './select';
import { t } from '../language/translate';

/** The list that a combobox opens: its matching choices, those chosen with a check mark. */
export function ComboboxList({ emptyText = t('No matches') }: { emptyText?: string | undefined }) {
  return (
    <Parts.Portal>
      <Parts.Positioner className="floating" sideOffset={4}>
        <Parts.Popup className="popup list">
          <Parts.Empty className="list-empty">{emptyText}</Parts.Empty>
          <Parts.List>
            {(choice: Choice<string>) => (
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
  );
}
