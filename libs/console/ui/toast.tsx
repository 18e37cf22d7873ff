import { lazy, Suspense } from 'react';

const load = () => import('./toast-view');
// Without its code there are no toasts; screens show the result of an action, too.
const ToastView = lazy(() => load().catch(() => ({ default: () => <></> })));

/** The button of a toast, such as “Undo”, which also closes it. */
interface ToastAction {
  label: string;
  run: () => void;
}

/** Shows a toast for 5 seconds, with an action for 10. `title`: a short confirmation, such as “Job paused”, or a problem. */
export function showToast(title: string, description?: string, action?: ToastAction, type?: 'problem'): void {
  // The same id: a double click shows one toast, and only the latest of the same actions is offered.
  const id = action ? title : [title, description].join();
  load().then(
    ({ toasts }) => {
      const onClick = () => {
        toasts.close(id);
        action?.run();
      };
      toasts.add({
        ...{ id, title, description, type },
        ...(action && { timeout: 10_000, actionProps: { children: action.label, onClick } }),
      });
    },
    () => undefined,
  );
}

/** The place of the toasts; mounted once. Its code is not needed for the first screen. */
export function Toasts() {
  return (
    <Suspense>
      <ToastView />
    </Suspense>
  );
}
