import { Menu as Parts } from '@base-ui/react/menu';
import type { RefObject } from 'react';
import { Button } from './button';
import { Icon, type IconName } from './icon';
import { t } from '../language/translate';

/** A menu item. */
export interface MenuAction {
  /** Absent: the label is unique. */
  id?: string;
  label: string;
  icon?: IconName;
  danger?: boolean;
  onSelect: () => void;
}

/** A button that opens a menu of actions. */
export function Menu({
  label,
  about,
  icon,
  small = about !== undefined,
  disabled = false,
  finalFocus,
  search,
  actions,
}: {
  label: string;
  /** The subject of the actions, if there are several such menus: “Actions: Shop system”. */
  about?: string;
  icon?: IconName;
  small?: boolean;
  disabled?: boolean;
  /** What takes the focus when the menu closes; by default its button. */
  finalFocus?: RefObject<HTMLElement | null>;
  /** A search field above the actions, which are those that match `value`; it is emptied when the menu closes. */
  search?: { label: string; value: string; onChange: (value: string) => void };
  actions: readonly MenuAction[];
}) {
  const items = actions.map((action) => (
    <Parts.Item
      key={action.id ?? action.label}
      className="list-item"
      data-danger={action.danger || undefined}
      onClick={action.onSelect}
    >
      {action.icon && <Icon name={action.icon} />}
      {action.label}
    </Parts.Item>
  ));
  const menu = (
    <Parts.Root>
      <Parts.Trigger
        disabled={disabled}
        render={<Button icon={icon} small={small} />}
        aria-label={about === undefined ? undefined : t('{label}: {about}', { label, about })}
      >
        {label}
        <Icon name="down" size={14} />
      </Parts.Trigger>
      <Parts.Portal>
        <Parts.Positioner className="floating" sideOffset={4} align="end">
          <Parts.Popup className="popup list" finalFocus={finalFocus}>
            {search ? (
              <>
                <Parts.Input className="input" aria-label={search.label} placeholder={search.label} />
                <Parts.List>{items}</Parts.List>
              </>
            ) : (
              items
            )}
          </Parts.Popup>
        </Parts.Positioner>
      </Parts.Portal>
    </Parts.Root>
  );
  if (!search) return menu;
  return (
    <Parts.FilterProvider filter={null} autoHighlight value={search.value} onValueChange={search.onChange}>
      {menu}
    </Parts.FilterProvider>
  );
}
