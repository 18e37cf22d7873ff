import { Toast as Parts } from '@base-ui/react/toast';
import { Icon } from './icon';
import { t } from '../language/translate';

/** The toasts of the page. */
export const toasts = Parts.createToastManager();

/** Shows the toasts, mounted once. */
export default function ToastView() {
  return (
    <Parts.Provider toastManager={toasts} timeout={5000}>
      <Parts.Portal>
        <Parts.Viewport className="toasts" aria-label={t('Notifications')}>
          <Shown />
        </Parts.Viewport>
      </Parts.Portal>
    </Parts.Provider>
  );
}

function Shown() {
  const { toasts: shown } = Parts.useToastManager();
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
