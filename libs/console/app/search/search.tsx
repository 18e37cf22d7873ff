import { useMemo } from 'react';
import { LazyDialog } from '../lazy-dialog';
import { shownScreens, TASKS } from '../screens';
import { type SignedIn, useSession } from '../session';
import { useShortcut } from '../shortcuts';
import type { Found } from './sources';

const loadDialog = () => import('./search-dialog');

/** The search, opened with Ctrl+K or Cmd+K anywhere except in a dialog. */
export function Search({ isOpen, onOpen }: { isOpen: boolean; onOpen: (isOpen: boolean) => void }) {
  const session = useSession();
  const pages = useMemo(() => pagesOf(session), [session]);
  useShortcut('Control+K Meta+K', () => onOpen(true));
  if (!isOpen) return null;
  const close = () => onOpen(false);
  return <LazyDialog load={loadDialog} onFailure={close} props={{ pages, onClose: close }} />;
}

/** The screens of the navigation. */
function pagesOf(session: SignedIn): Found[] {
  return shownScreens(session).map(({ path, nav }) => {
    const { task, label } = nav!;
    return { id: path, label, hint: TASKS[task].name === label ? '' : TASKS[task].name, to: path };
  });
}
