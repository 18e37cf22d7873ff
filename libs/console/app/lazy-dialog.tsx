import { type ComponentType, useEffect, useRef, useState } from 'react';
import { showToast } from '../ui/toast';
import { ErrorBoundary } from './error-boundary';
import { t } from '../language/translate';

/**
 * A dialog whose code is loaded when it is opened: the parts of a dialog would be a quarter of the first load. `load`: the same
 * function in each render; `onFailure` closes the dialog, so that opening it again loads it again.
 */
export function LazyDialog<P extends object>({
  load,
  onFailure,
  props,
}: {
  load: () => Promise<{ default: ComponentType<P> }>;
  onFailure: () => void;
  props: P;
}) {
  const [Dialog, setDialog] = useState<ComponentType<P> | null>(null);
  const latest = useRef(onFailure);
  useEffect(() => {
    latest.current = onFailure;
  }, [onFailure]);
  useEffect(() => {
    let isUnmounted = false;
    load().then(
      ({ default: loaded }) => isUnmounted || setDialog(() => loaded),
      () => {
        if (isUnmounted) return;
        latest.current();
        showToast(t('This could not be opened'), t('Try again, or reload the page.'));
      },
    );
    return () => {
      isUnmounted = true;
    };
  }, [load]);
  return <ErrorBoundary>{Dialog && <Dialog {...props} />}</ErrorBoundary>;
}
