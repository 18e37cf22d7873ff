import { lazy, Suspense } from 'react';

const load = () => import('./toast-view');
// Without its code there are no toasts; screens show the result of an action, too.
const ToastView = lazy(() => load().catch(() => ({ default: () => <></> })));

/** Shows a toast for 5 seconds. `title`: a short confirmation, such as “Job paused”. */
export function showToast(title: string, description?: string): void {
  // The same id: a double click shows one toast.
  const toast = { id: [title, description].join(), title, description };
  load().then(
    ({ toasts }) => toasts.add(toast),
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
