import { useMutation, useQueryClient } from '@tanstack/react-query';
import { updateConversation } from '../../../client/generated/sdk.gen';
import type { ConversationDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useShortcut } from '../../app/shortcuts';
import { useKeptDraft } from '../../app/use-draft';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { errorSummary } from '../../ui/error-words';
import { showToast } from '../../ui/toast';
import { removeFromOtherStates } from './other-states';
import { useOwnChange } from './own-change';
import { nameOf } from './person-name';
import { replyDraftOf } from './reply-draft';
import { templateDraftOf } from './template-form';

/** Marks the conversation as done, which can be undone, or opens it again. */
export function StateButton({
  conversation,
  onChange,
  onDone,
  onReturn,
}: {
  conversation: ConversationDto;
  /** Called before the state is set, and with undefined if that failed. */
  onChange: (next: 'Open' | 'Done' | undefined) => void;
  /** Called when it is done, if it is still shown. */
  onDone: () => void;
  /** Shows it again, after “Undo”. */
  onReturn: () => void;
}) {
  const queries = useQueryClient();
  const { id, state } = conversation;
  const isDone = state !== 'Open';
  const begin = useOwnChange(id);
  const drafts = [useKeptDraft(replyDraftOf(id)), useKeptDraft(templateDraftOf(id))];
  const changed = useMutation({
    mutationFn: (next: 'Open' | 'Done') =>
      call(updateConversation, { path: { conversationId: id }, body: { state: next } }).finally(begin()),
    onSuccess: (conversation) => {
      // An answer to an earlier request has the state before.
      void queries.cancelQueries({ queryKey: queryKeys.conversation.one(id), exact: true });
      queries.setQueryData(queryKeys.conversation.one(id), conversation);
      removeFromOtherStates(queries, conversation);
      const name = nameOf(conversation);
      const hasDraft = drafts.some((draft) => draft !== null);
      const described = hasDraft ? t('{name}: your unsent draft is kept in this conversation.', { name }) : name;
      if (conversation.state === 'Done') showToast(t('Marked as done'), described, undo);
      else showToast(t('Opened again'));
    },
    onError: (error) => {
      onChange(undefined);
      showToast(errorSummary(error), undefined, undefined, 'problem');
    },
  });
  const undo = {
    label: t('Undo'),
    run: () => {
      onReturn();
      changed.mutate('Open');
    },
  };
  const change = () => {
    if (changed.isPending || state === undefined) return;
    onChange(isDone ? 'Open' : 'Done');
    if (isDone) changed.mutate('Open');
    else changed.mutate('Done', { onSuccess: onDone });
  };
  const keys = useShortcut('E', change);
  if (state === undefined) return null;
  return (
    <Button icon={isDone ? undefined : 'check'} busy={changed.isPending} aria-keyshortcuts={keys} onClick={change}>
      {isDone ? t('Open again') : t('Done', {}, 'state of a conversation')}
    </Button>
  );
}
