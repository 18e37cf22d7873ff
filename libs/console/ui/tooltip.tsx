import { Tooltip as Parts } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';

/** A tooltip on hover or focus of `children`, a button or link. Must not contain essential information. */
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
