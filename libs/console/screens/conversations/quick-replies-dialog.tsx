import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { createQuickReply, deleteQuickReply, updateQuickReply } from '../../../client/generated/sdk.gen';
import type { QuickReplyDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { t } from '../../language/translate';
import { useSendOnce } from '../../app/send-once';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Input, TextArea } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { ErrorLine } from '../../ui/states';
import { showToast } from '../../ui/toast';
import { QuickReplyWords } from './slash-replies';

const MAX_NAME = 60;
const MAX_TEXT = 4096;

interface Edited {
  /** Null: a new one. */
  id: string | null;
  name: string;
  text: string;
}

/** Creates, changes and deletes quick replies; a new one starts with the text of the reply being written. */
export function QuickRepliesDialog({
  items,
  draft,
  onClose,
}: {
  items: readonly QuickReplyDto[];
  draft: string;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const [edited, setEdited] = useState<Edited>({ id: null, name: '', text: draft.trim() });
  const [deleting, setDeleting] = useState<QuickReplyDto | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const isDeleted = useRef(false);
  useEffect(() => {
    // The button that had the focus is gone.
    if (!deleting && isDeleted.current) form.current?.focus();
    isDeleted.current = false;
  }, [deleting]);
  const create = useSendOnce(
    useCallback(
      (body: { name: string; text: string }, idempotencyKey: string) =>
        call(createQuickReply, { body }, { idempotencyKey }),
      [],
    ),
  );
  const refresh = () => queries.invalidateQueries({ queryKey: queryKeys.quickReplies });
  const saved = useMutation({
    mutationFn: ({ id, name, text }: Edited) =>
      id === null
        ? create({ name, text })
        : call(updateQuickReply, { path: { quickReplyId: id }, body: { name, text } }),
    onSuccess: () => {
      showToast(t('Quick reply saved'));
      setEdited({ id: null, name: '', text: '' });
      return refresh();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Quick replies')}
      lead={t('Texts that everyone in this account can insert into a reply.')}
    >
      {items.length > 0 && (
        <ul className="quick-replies" aria-label={t('Quick replies')}>
          {items.map((item) => (
            <li key={item.id}>
              <QuickReplyWords reply={item} />
              <Button small aria-label={t('Change {name}', { name: item.name })} onClick={() => setEdited(item)}>
                {t('Change')}
              </Button>
              <Button small aria-label={t('Delete {name}', { name: item.name })} onClick={() => setDeleting(item)}>
                {t('Delete')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form
        ref={form}
        tabIndex={-1}
        className="stack"
        aria-label={edited.id === null ? t('New quick reply') : t('Change a quick reply')}
        onSubmit={(event) => {
          event.preventDefault();
          // The reply form around the dialog would send the reply.
          event.stopPropagation();
          saved.mutate(edited);
        }}
      >
        <Input
          label={t('Name')}
          value={edited.name}
          maxLength={MAX_NAME}
          required
          onChange={(name) => setEdited({ ...edited, name })}
        />
        <TextArea
          label={t('Text')}
          hint={t(
            '{{name}} is replaced with the name of the person, {{first_name}} with its first word, if it is known. Replace other placeholders before you send.',
          )}
          dir="auto"
          rows={4}
          value={edited.text}
          maxLength={MAX_TEXT}
          required
          onChange={(text) => setEdited({ ...edited, text })}
        />
        {saved.error && <ErrorLine error={saved.error} />}
        <div className="dialog-foot">
          {edited.id !== null && (
            <Button onClick={() => setEdited({ id: null, name: '', text: '' })}>{t('Cancel')}</Button>
          )}
          <Button type="submit" variant="primary" busy={saved.isPending}>
            {edited.id === null ? t('Add quick reply') : t('Save')}
          </Button>
        </div>
      </form>
      {deleting && (
        <DeleteDialog
          reply={deleting}
          onDeleted={() => {
            isDeleted.current = true;
            if (edited.id === deleting.id) setEdited({ id: null, name: '', text: '' });
          }}
          onClose={() => setDeleting(null)}
        />
      )}
    </Dialog>
  );
}

function DeleteDialog({
  reply,
  onDeleted,
  onClose,
}: {
  reply: QuickReplyDto;
  onDeleted: () => void;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const deleted = useMutation({
    mutationFn: () => call(deleteQuickReply, { path: { quickReplyId: reply.id } }),
    onSuccess: async () => {
      showToast(t('Quick reply deleted'));
      onDeleted();
      await queries.invalidateQueries({ queryKey: queryKeys.quickReplies });
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('Delete {name}?', { name: reply.name })}
      lead={t('This quick reply is deleted for everyone in this account.')}
      danger
      leaves
      action={t('Delete')}
      mutation={deleted}
      onSubmit={() => deleted.mutate()}
      onClose={onClose}
    />
  );
}
