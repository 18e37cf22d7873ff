import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { createQuickReply, deleteQuickReply, updateQuickReply } from '../../../client/generated/sdk.gen';
import type { QuickReplyDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { t } from '../../language/translate';
import { useSendOnce } from '../../app/send-once';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Input, TextArea } from '../../ui/field';
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
  const deleted = useMutation({
    mutationFn: (quickReplyId: string) => call(deleteQuickReply, { path: { quickReplyId } }),
    onSuccess: () => {
      showToast(t('Quick reply deleted'));
      return refresh();
    },
  });
  const error = saved.error ?? deleted.error;
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
              <Button
                small
                aria-label={t('Delete {name}', { name: item.name })}
                busy={deleted.isPending && deleted.variables === item.id}
                onClick={() => {
                  if (edited.id === item.id) setEdited({ id: null, name: '', text: '' });
                  deleted.mutate(item.id);
                }}
              >
                {t('Delete')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form
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
        {error && <ErrorLine error={error} />}
        <div className="dialog-foot">
          {edited.id !== null && (
            <Button onClick={() => setEdited({ id: null, name: '', text: '' })}>{t('Cancel')}</Button>
          )}
          <Button type="submit" variant="primary" busy={saved.isPending}>
            {edited.id === null ? t('Add quick reply') : t('Save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
