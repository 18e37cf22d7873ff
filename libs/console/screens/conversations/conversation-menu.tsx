import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { eraseConversation, exportConversation, markConversationUnread } from '../../../client/generated/sdk.gen';
import type { ConversationDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { OptOutDialog } from '../../app/opt-out-dialog';
import { rich, t } from '../../language/translate';
import { useSession } from '../../app/session';
import { ConfirmByTyping } from '../../ui/dialog';
import { FormDialog } from '../../ui/form-dialog';
import { Link } from '../../ui/link';
import { Menu } from '../../ui/menu';
import { errorSummary } from '../../ui/error-words';
import { saveFile } from '../../ui/save-file';
import { ErrorLine, Note } from '../../ui/states';
import { showToast } from '../../ui/toast';
import { useAttachedFile } from './attached-files';
import { useContactOf } from './conversation-queries';
import { useOwnChange } from './own-change';
import { nameOf } from './person-name';

/** The actions of a conversation: mark as unread, export, opt-out of the person, and erasure. */
export function ConversationMenu({ conversation, backTo }: { conversation: ConversationDto; backTo: string }) {
  const session = useSession();
  const begin = useOwnChange(conversation.id);
  const [, navigate] = useLocation();
  const [dialog, setDialog] = useState<'opt-out' | 'erase' | null>(null);
  const { contactPhone: phone, contactName, userId, optedOut } = conversation;
  const canOptOut = session.can('groups:manage') && (phone ?? userId) !== null;
  const path = { conversationId: conversation.id };
  const unread = useMutation({
    mutationFn: () => call(markConversationUnread, { path }).finally(begin()),
    onSuccess: () => {
      // An open conversation would be marked as read again.
      navigate(backTo);
      showToast(t('Marked as unread'));
    },
    onError: (error) => showToast(errorSummary(error)),
  });
  const exported = useMutation({
    mutationFn: async (format: 'csv' | 'json') => {
      const file = await call(exportConversation, { path, query: { format } }, { as: 'blob' });
      saveFile(file as unknown as Blob, `conversation-${phone ?? conversation.id}.${format}`);
    },
  });
  return (
    <div className="thread-menu">
      <Menu
        label={t('More')}
        actions={[
          ...(session.can('messaging:manage') && conversation.state !== undefined
            ? [{ label: t('Mark as unread'), icon: 'chat' as const, onSelect: () => unread.mutate() }]
            : []),
          { label: t('Export as CSV'), icon: 'download', onSelect: () => exported.mutate('csv') },
          { label: t('Export as JSON'), icon: 'download', onSelect: () => exported.mutate('json') },
          ...(canOptOut
            ? [
                {
                  label: optedOut ? t('Opt in…') : t('Opt out…'),
                  icon: optedOut ? ('check' as const) : ('stop' as const),
                  onSelect: () => setDialog('opt-out'),
                },
              ]
            : []),
          ...(session.can('messaging:manage')
            ? [{ label: t('Erase…'), icon: 'close' as const, danger: true, onSelect: () => setDialog('erase') }]
            : []),
        ]}
      />
      {exported.isPending && (
        <span className="hint" role="status">
          {t('Preparing the file…')}
        </span>
      )}
      {exported.isError && <ErrorLine error={exported.error} />}
      {dialog === 'opt-out' && (
        <OptOutDialog person={{ phone, userId, name: contactName, optedOut }} onClose={() => setDialog(null)} />
      )}
      {dialog === 'erase' && (
        <EraseDialog conversation={conversation} backTo={backTo} onClose={() => setDialog(null)} />
      )}
    </div>
  );
}

function EraseDialog({
  conversation,
  backTo,
  onClose,
}: {
  conversation: ConversationDto;
  backTo: string;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [, setFile] = useAttachedFile(conversation.id);
  const [isReady, setReady] = useState(false);
  const session = useSession();
  const { contact } = useContactOf(conversation.contactPhone);
  const contactAddress = contact && `/contacts/${contact.id}`;
  // A contact is found by number.
  const mayBeContact = contact !== undefined || conversation.contactPhone === null || !session.can('groups:read');
  const erased = useMutation({
    mutationFn: () => call(eraseConversation, { path: { conversationId: conversation.id } }),
    onSuccess: () => {
      const { one, messages } = queryKeys.conversation;
      for (const queryKey of [one(conversation.id), messages(conversation.id)]) queries.removeQueries({ queryKey });
      void queries.invalidateQueries({ queryKey: queryKeys.conversations.all });
      showToast(
        t('Conversation erased'),
        contact && t('The contact, with name, number and user ID, is kept.'),
        contactAddress ? { label: t('Contact'), run: () => navigate(contactAddress) } : undefined,
      );
      setFile(null);
      navigate(backTo);
    },
  });
  return (
    <FormDialog
      title={t('Erase this conversation?')}
      lead={t(
        'All messages between you and {name}, with their values, numbers and files, are permanently deleted. Pending messages are not sent. Job counts are kept.',
        { name: nameOf(conversation) },
      )}
      danger
      leaves
      cancel={t('Cancel')}
      action={t('Erase permanently')}
      disabled={!isReady}
      mutation={erased}
      onSubmit={() => erased.mutate()}
      onClose={onClose}
    >
      <ConfirmByTyping expected="erase" label={t('Confirmation')} onReady={setReady} />
      {/* Last: the field has the initial focus. */}
      {contactAddress && session.can('groups:manage') ? (
        <Note tone="warning">
          {rich(
            'The contact, with name, number and user ID, is kept. To erase all data of this person, open the <a>contact</a> and choose <b>Delete or erase…</b>',
            { a: (text) => <Link to={contactAddress}>{text}</Link>, b: (text) => <strong>{text}</strong> },
          )}
        </Note>
      ) : (
        mayBeContact && (
          <Note tone="warning">
            {rich(
              'If this person is a contact, name, number and user ID are kept. To erase all data of the person, choose <b>Delete or erase…</b> of the contact (groups:manage).',
              { b: (text) => <strong>{text}</strong> },
            )}
          </Note>
        )
      )}
    </FormDialog>
  );
}
