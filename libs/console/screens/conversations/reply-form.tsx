import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { sendReply, uploadMedia } from '../../../client/generated/sdk.gen';
import type { ConversationDto, ReplyDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { DraftNote } from '../../app/draft-note';
import { readDraft } from '../../app/drafts';
import { useIsInterrupted } from '../../app/live';
import { isTransient } from '../../app/query-client';
import { useSendOnce } from '../../app/send-once';
import { useSession } from '../../app/session';
import type { Draft } from '../../app/use-draft';
import { t } from '../../language/translate';
import { Button, IconButton } from '../../ui/button';
import { Note } from '../../ui/states';
import { isTouchOnly } from '../../ui/touch';
import { useMounted } from '../../ui/use-mounted';
import { AttachButton, AttachmentPreview } from './attach-file';
import { useAttachedFile } from './attached-files';
import { checkAttachment } from './attachment';
import { focusMessages } from './focus-messages';
import { useOwnChange } from './own-change';
import { rememberReply } from './own-replies';
import { placeholderIn, withName } from './placeholders';
import { QuickReplies, useQuickReplies } from './quick-replies';
import { useSlashReplies } from './slash-replies';
import { keepSentFile } from '../../app/message-media';
import { Quoted } from './thread-message';
import { useQuoted } from './quoted-message';
import { ReplyProblem } from './reply-problem';
import { addSentReply } from './sent-message';
import type { ReplyDraft } from './reply-draft';

/** Where the reply field has no room for a long placeholder; conversations.css has the same width. */
const NARROW = '(max-width: 900px)';
/** Where the send button shows only its icon. */
const PHONE = '(max-width: 480px)';
const MAX_TEXT = 4096;
const MAX_CAPTION = 1024;

/** A reply to send. */
interface ReplyInput {
  conversationId: string;
  senderId: string | undefined;
  text: string;
  file: File | null;
  type: NonNullable<ReplyDto['type']>;
  replyTo: string | undefined;
  despiteOptOut: boolean;
}

/** Uploads the file, if any, and sends the reply, both with the same idempotency key. */
async function uploadAndReply(input: ReplyInput, idempotencyKey: string, pauseSignal?: AbortSignal) {
  const { conversationId, senderId, text, file, type, replyTo, despiteOptOut } = input;
  const options = { idempotencyKey, pauseSignal };
  const media = file && (await call(uploadMedia, { body: { file, ...(senderId && { senderId }) } }, options));
  const body: ReplyDto = {
    type,
    ...(text !== '' && { text }),
    ...(media?.mediaId && { mediaId: media.mediaId }),
    ...(type === 'Document' && { fileName: file?.name }),
    ...(replyTo && { replyTo }),
    ...(despiteOptOut && { despiteOptOut }),
  };
  const message = await call(sendReply, { path: { conversationId }, body }, options);
  return { mediaId: media?.mediaId ?? null, message, reply: { ...body, type } };
}

/** The reply form: text, or a file with a caption. */
export function ReplyForm({
  conversation,
  draft,
  keys,
  hint,
  note,
  mustConfirm,
  onTemplate,
  onWindowClosed,
}: {
  conversation: ConversationDto;
  draft: Draft<ReplyDraft>;
  /** The shortcut that leads to the reply field. */
  keys: string | undefined;
  hint: string;
  /** Shown above the form of a reply to a person who has opted out; absent: they have not. */
  note?: ReactNode;
  /** Called before each reply is sent; true: it is sent only when that is repeated. */
  mustConfirm: () => boolean;
  /** Shows the template form; absent: templates cannot be sent. */
  onTemplate?: () => void;
  /** The platform, which decides, refused the reply: the window is closed. */
  onWindowClosed: () => void;
}) {
  const queries = useQueryClient();
  const { key } = useSession();
  const begin = useOwnChange(conversation.id);
  const field = useRef<HTMLTextAreaElement>(null);
  const sendButton = useRef<HTMLButtonElement>(null);
  /** What is selected after the next render; null: what was. */
  const selection = useRef<[start: number, end: number] | null>(null);
  const isMounted = useMounted();
  const [file, setFile] = useAttachedFile(conversation.id);
  const hasAttached = useRef(false);
  const attach = (next: File | null) => {
    hasAttached.current = true;
    setFile(next);
    draft.change({ fileName: next?.name ?? '' });
  };
  useEffect(() => {
    if (!hasAttached.current) return;
    hasAttached.current = false;
    // Disabled for a file without a caption.
    if (field.current?.disabled) sendButton.current?.focus();
    else field.current?.focus();
  }, [file]);
  /** What is being sent; null: nothing. */
  const [sending, setSending] = useState<string | null>(null);
  const isSending = sending !== null;
  const [error, setError] = useState<unknown>(null);
  const send = useSendOnce(useCallback(uploadAndReply, []), draft.place);
  const check = file && checkAttachment(file);
  const problem = check && 'problem' in check ? check.problem : null;
  const kind = check && 'type' in check ? check : null;
  const { replyTo, fileName } = draft.value;
  const typed = isSending ? draft.value.next : draft.value.text;
  const next = useRef('');
  useEffect(() => {
    next.current = draft.value.next;
  }, [draft.value.next]);
  // Until the answer, the draft keeps the text that is being sent.
  const type = (text: string) => {
    if (isSending) draft.change({ next: text });
    else draft.change(text === '' ? { text: draft.value.next, next: '' } : { text });
  };
  const quoted = useQuoted(conversation.id, replyTo);
  const text = kind && !kind.takesText ? '' : typed.trim();
  const maxLength = file && !isSending ? MAX_CAPTION : MAX_TEXT;
  const isReady = problem === null && text.length <= maxLength && (text !== '' || kind !== null);
  const placeholderLeft = text === '' ? null : placeholderIn(typed);
  /** Whether a reply with a placeholder was to be sent. */
  const [isIncomplete, setIncomplete] = useState(false);

  useLayoutEffect(() => {
    if (selection.current !== null) field.current?.setSelectionRange(...selection.current);
    selection.current = null;
  }, [typed]);

  const shownQuote = useRef(replyTo);
  useEffect(() => {
    // A quote that was restored does not take the focus.
    if (replyTo !== '' && replyTo !== shownQuote.current) field.current?.focus();
    shownQuote.current = replyTo;
  }, [replyTo]);

  const isInterrupted = useIsInterrupted();
  const [wasInterrupted, setInterrupted] = useState(isInterrupted);
  /** Whether the reply failed in an interruption that is over. */
  const [isSendable, setSendable] = useState(false);
  if (wasInterrupted !== isInterrupted) {
    setInterrupted(isInterrupted);
    setSendable(!isInterrupted && isTransient(error));
    if (!isInterrupted && isTransient(error)) setError(null);
  }

  const submit = async () => {
    if (!isReady || isSending) return;
    field.current?.focus();
    setIncomplete(placeholderLeft !== null);
    if (placeholderLeft) return field.current?.setSelectionRange(...placeholderLeft);
    if (mustConfirm()) return;
    setSending(text || (file?.name ?? ''));
    setError(null);
    setSendable(false);
    const end = begin();
    const { id: conversationId } = conversation;
    const senderId = conversation.senderId ?? undefined;
    try {
      const sent = await send({
        conversationId,
        senderId,
        text,
        file,
        type: kind?.type ?? 'Text',
        replyTo: replyTo || undefined,
        despiteOptOut: note !== undefined,
      });
      if (file && sent.mediaId) keepSentFile(queries, sent.mediaId, file);
      addSentReply(queries, conversationId, sent.message, sent.reply, { keyId: key.id, keyName: key.name });
      rememberReply(conversationId, sent.message);
      draft.discard();
      setFile((before) => (before === file ? null : before));
      // Typed and chosen while this reply was being sent: for the next one.
      const rest = { text: next.current, replyTo: shownQuote.current === replyTo ? '' : shownQuote.current };
      if (isMounted.current || readDraft(draft.place) === null) draft.change(rest);
    } catch (refusal) {
      if (asMessagingError(refusal).code !== 'window_closed') setError(refusal);
      else onWindowClosed();
    } finally {
      setSending(null);
      end();
      field.current?.focus();
    }
  };

  /** Puts a quick reply in place of what is typed from `start` to `end`, and selects what is to be completed. */
  const insert = (quickReply: string, start: number, end: number) => {
    const inserted = withName(quickReply, conversation.contactName);
    const [from, to] = placeholderIn(inserted) ?? [inserted.length, inserted.length];
    selection.current = [start + from, start + to];
    type(typed.slice(0, start) + inserted + typed.slice(end));
  };
  const insertAtCursor = (quickReply: string) => {
    const { selectionStart = typed.length, selectionEnd = typed.length } = field.current ?? {};
    insert(quickReply, selectionStart, selectionEnd);
  };

  const replies = useQuickReplies();
  const slash = useSlashReplies(replies, typed, (chosen) => insert(chosen, 0, typed.length));

  const placeholder =
    file && !isSending
      ? t('Add a caption')
      : replies && replies.length > 0 && !matchMedia(NARROW).matches
        ? t('Write a reply, or / for a quick reply')
        : t('Write a reply');

  const onKey = (event: KeyboardEvent) => {
    if (slash.onKey(event) || event.nativeEvent.isComposing) return;
    // The shortcuts work outside of the field.
    if (event.key === 'Escape') focusMessages(field.current);
    if (event.key !== 'Enter' || event.shiftKey || isTouchOnly()) return;
    event.preventDefault();
    void submit();
  };

  return (
    <>
      {slash.list}
      <form
        className="answer"
        aria-label={t('Reply')}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {replyTo !== '' && (
          <div className="answer-quoted">
            <div className="answer-quoted-words">
              <Quoted message={quoted} />
            </div>
            <IconButton
              small
              icon="close"
              label={t('Remove quote')}
              disabled={isSending}
              onClick={() => draft.change({ replyTo: '' })}
            />
          </div>
        )}
        {file && (
          <AttachmentPreview
            file={file}
            problem={problem}
            onRemove={() => !isSending && attach(null)}
            hasNoText={kind?.takesText === false}
          />
        )}
        {note && <Note tone="warning">{note}</Note>}
        {!file && fileName !== '' && <DraftNote draft={draft} fileName={fileName} />}
        {isSending && (
          <div className="answer-quoted" role="status">
            <div className="answer-quoted-words">
              <strong>{t('Sending…')}</strong>
              <span className="quoted-text" dir="auto">
                {sending}
              </span>
            </div>
          </div>
        )}
        {error !== null && <ReplyProblem error={error} />}
        {isSendable && isReady && (
          <p className="hint" role="status">
            {t('The connection is back. You can send your reply now.')}
          </p>
        )}
        {isIncomplete && placeholderLeft && (
          <p className="field-error" role="alert">
            {t('The placeholder {placeholder} is still in your reply. Replace it before you send.', {
              placeholder: typed.slice(...placeholderLeft),
            })}
          </p>
        )}
        {!isSending && draft.value.next !== '' && (
          <p className="hint">{t('What you typed next follows once this reply is sent.')}</p>
        )}
        <div className="answer-line">
          <AttachButton onFile={attach} disabled={isSending} />
          <textarea
            {...slash.field}
            ref={field}
            aria-keyshortcuts={keys}
            className="input answer-field"
            dir="auto"
            rows={1}
            aria-label={t('Your reply')}
            placeholder={placeholder}
            value={typed}
            disabled={kind?.takesText === false && !isSending}
            onChange={(event) => {
              setError(null);
              type(event.target.value);
            }}
            onKeyDown={onKey}
            onPaste={(event) => {
              const [pasted] = event.clipboardData.files;
              if (!pasted || isSending) return;
              event.preventDefault();
              attach(pasted);
            }}
          />
          <Button
            ref={sendButton}
            type="submit"
            variant="primary"
            icon="send"
            aria-label={t('Send')}
            busy={isSending}
            disabled={!isReady && !isSending}
          >
            {!matchMedia(PHONE).matches && t('Send')}
          </Button>
        </div>
        <div className="hint answer-hint">
          <span className="answer-texts">
            <QuickReplies replies={replies} draft={typed} field={field} onInsert={insertAtCursor} />
            {onTemplate && (
              <Button small icon="template" disabled={isSending} onClick={onTemplate}>
                {t('Template')}
              </Button>
            )}
          </span>
          <span className="answer-window">
            {hint} {isTouchOnly() ? t('Enter starts a new line.') : t('Enter sends, Shift+Enter starts a new line.')}
          </span>
          {text.length > maxLength * 0.8 && (
            <span className={text.length > maxLength ? 'answer-too-long' : undefined} role="status">
              {t('{used, number} of {maximum, number} characters', { used: text.length, maximum: maxLength })}
            </span>
          )}
        </div>
      </form>
    </>
  );
}
