import { Tooltip as Parts } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';

/** Says more on pointing at or focusing `children`, which is a button or a link. Nothing that is needed stands only here. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement }) {
  return (
    <Parts.Root>
      <Parts.Trigger render={children} />
      <Parts.Portal>
        <Parts.Positioner className="floating" sideOffset={6}>
          <Parts.Popup className="tooltip">{text}</Parts.Popup>
        </Parts.Positioner>
      </Parts.Portal>
    </Parts.Root>
  );
}
