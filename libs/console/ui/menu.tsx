import { Menu as Parts } from '@base-ui/react/menu';
import { Button } from './button';
import { Icon, type IconName } from './icon';

/** A menu item. */
export interface MenuAction {
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
  actions,
}: {
  label: string;
  /** The subject of the actions, if there are several such menus: “Actions: Shop system”. */
  about?: string;
  icon?: IconName;
  actions: readonly MenuAction[];
}) {
  return (
    <Parts.Root>
      <Parts.Trigger
        render={<Button icon={icon} small={about !== undefined} />}
        aria-label={about === undefined ? undefined : `${label}: ${about}`}
      >
        {label}
        <Icon name="down" size={14} />
      </Parts.Trigger>
      <Parts.Portal>
        <Parts.Positioner className="floating" sideOffset={4} align="end">
          <Parts.Popup className="popup list">
            {actions.map((action) => (
              <Parts.Item
                key={action.label}
                className="list-item"
                data-danger={action.danger || undefined}
                onClick={action.onSelect}
              >
                {action.icon && <Icon name={action.icon} />}
                {action.label}
              </Parts.Item>
            ))}
          </Parts.Popup>
        </Parts.Positioner>
      </Parts.Portal>
    </Parts.Root>
  );
}
