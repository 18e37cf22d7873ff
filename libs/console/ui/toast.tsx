import { Toast as Parts } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import { Icon } from './icon';

const toasts = Parts.createToastManager();

/** Says for some seconds that something is done: in one short sentence, such as “The job is paused”. */
export function sayDone(title: string, description?: string): void {
  // The second click of a double click says nothing new.
  toasts.add({ id: `${title} ${description}`, title, description });
}

/** Where they appear; once for the whole console. */
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
