import { Toast as Parts } from '@base-ui/react/toast';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { t } from '../language/translate';
import { Icon } from './icon';
import { choosePlace } from './toast-place';

/** The toasts of the page. */
export const toasts = Parts.createToastManager();

/** Shows the toasts, mounted once. */
export default function ToastView() {
  const viewport = useRef<HTMLDivElement>(null);
  return (
    <Parts.Provider toastManager={toasts} timeout={5000}>
      <Parts.Portal>
        <Parts.Viewport ref={viewport} className="toasts" aria-label={t('Notifications')}>
          <Shown viewport={viewport} />
        </Parts.Viewport>
      </Parts.Portal>
    </Parts.Provider>
  );
}

function Shown({ viewport }: { viewport: RefObject<HTMLDivElement | null> }) {
  const { toasts: shown } = Parts.useToastManager();
  const isEmpty = shown.length === 0;
  // Later toasts appear beside the first one.
  useLayoutEffect(() => {
    if (!isEmpty && viewport.current) choosePlace(viewport.current);
  }, [isEmpty, viewport]);
  return shown.map((toast) => (
    <Parts.Root key={toast.id} toast={toast} className="toast">
      <Parts.Content className="toast-content">
        <Icon name={toast.type === 'problem' ? 'warning' : 'check'} />
        <div>
          <Parts.Title className="toast-title" render={<p />} />
          <Parts.Description className="toast-text" />
        </div>
        <Parts.Action className="button toast-action" data-small="true" />
        <Parts.Close className="button icon-button" data-variant="quiet" data-small="true" aria-label={t('Close')}>
          <Icon name="close" />
        </Parts.Close>
      </Parts.Content>
    </Parts.Root>
  ));
}
