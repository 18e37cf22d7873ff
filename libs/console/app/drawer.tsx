import { Dialog } from '@base-ui/react/dialog';
import { Sidebar } from './sidebar';
import { t } from '../language/translate';

/** The navigation on narrow screens. */
export default function Drawer({ onClose }: { onClose: () => void }) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="drawer">
          <Dialog.Title className="visually-hidden">{t('Menu')}</Dialog.Title>
          <Sidebar />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
