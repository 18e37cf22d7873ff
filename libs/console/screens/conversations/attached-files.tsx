import {
  createContext,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useCallback,
  useContext,
  useState,
} from 'react';
import { placeOf, writeDraft } from '../../app/drafts';
import { useUnsavedForm } from '../../app/leave-guard';
import { forgetSend } from '../../app/send-once';
import { useSession } from '../../app/session';
import { replyDraftOf } from './reply-draft';

type Files = ReadonlyMap<string, File>;

const FilesContext = createContext<[Files, Dispatch<SetStateAction<Files>>] | null>(null);

/** Keeps the files attached to replies, by conversation, while the inbox is shown. Leaving it with a file asks for confirmation. */
export function AttachedFiles({ children }: { children: ReactNode }) {
  const [files, setFiles] = useState<Files>(new Map());
  return (
    <FilesContext value={[files, setFiles]}>
      {[...files.keys()].map((id) => (
        <AttachedFile key={id} conversationId={id} />
      ))}
      {children}
    </FilesContext>
  );
}

/** The file attached to the reply of a conversation, and a function that changes it. */
export function useAttachedFile(conversationId: string): [File | null, Dispatch<SetStateAction<File | null>>] {
  const context = useContext(FilesContext);
  if (!context) throw new Error('useAttachedFile needs AttachedFiles.');
  const [files, setFiles] = context;
  const change = useCallback(
    (action: SetStateAction<File | null>) =>
      setFiles((before) => {
        const file = before.get(conversationId) ?? null;
        const next = typeof action === 'function' ? action(file) : action;
        const after = new Map(before);
        if (next) after.set(conversationId, next);
        else after.delete(conversationId);
        return after;
      }),
    [conversationId, setFiles],
  );
  return [files.get(conversationId) ?? null, change];
}

function AttachedFile({ conversationId }: { conversationId: string }) {
  const place = placeOf(useSession().account.id, replyDraftOf(conversationId));
  useUnsavedForm(place, 'leaving', () => {
    writeDraft(place, null);
    forgetSend(place);
  });
  return null;
}
