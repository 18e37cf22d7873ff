import { Toast as Parts } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import { Icon } from './icon';

const toasts = Parts.createToastManager();

/** Shows a toast for 5 seconds. `title`: a short confirmation, such as “Job paused”. */
export function showToast(title: string, description?: string): void {
  // The same id: a double click shows one toast.
  toasts.add({ id: `${title} ${description}`, title, description });
}

/** The viewport of the toasts; mounted once. */
export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Parts.Provider toastManager={toasts} timeout={5000}>
      {children}
      <Parts.Portal>
        <Parts.Viewport className="toasts">
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
        <Icon name="check" />
        <div>
          <Parts.Title className="toast-title" render={<p />} />
          <Parts.Description className="toast-text" />
        </div>
        <Parts.Close className="button icon-button" data-variant="quiet" data-small="true" aria-label="Close">
          <Icon name="close" />
        </Parts.Close>
      </Parts.Content>
    </Parts.Root>
  ));
}
