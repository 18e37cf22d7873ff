import { useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { sendReply, uploadMedia } from '../../../client/generated/sdk.gen';
import type { ConversationDto, MessageDto, ReplyDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSendOnce } from '../../app/send-once';
import { Button, IconButton } from '../../ui/button';
import { bytes, count } from '../../ui/format';
import { ErrorLine } from '../../ui/states';
import { ACCEPTED, checkAttachment, LIMITS } from './attachment';
import { Quoted } from './thread-message';

const MAX_TEXT = 4096;
const MAX_CAPTION = 1024;

/** A reply to send. */
interface ReplyInput {
  conversationId: string;
  text: string;
  file: File | null;
  type: NonNullable<ReplyDto['type']>;
  replyTo: string | undefined;
}

/** Uploads the file, if any, and sends the reply, both with the same idempotency key. */
async function uploadAndReply({ conversationId, text, file, type, replyTo }: ReplyInput, idempotencyKey: string) {
  const media = file && (await call(uploadMedia, { body: { file } }, { idempotencyKey }));
  const body: ReplyDto = {
    type,
    ...(text !== '' && { text }),
    ...(media?.mediaId && { mediaId: media.mediaId }),
    ...(type === 'Document' && { fileName: file?.name }),
    ...(replyTo && { replyTo }),
  };
  return call(sendReply, { path: { conversationId }, body }, { idempotencyKey });
}

/** The reply form: text, or a file with a caption. */
export function ReplyForm({
  conversation,
  draft,
  onDraft,
  replyTo,
  onReplyTo,
  hint,
}: {
  conversation: ConversationDto;
  draft: string;
  onDraft: (text: string) => void;
  replyTo: MessageDto | null;
  onReplyTo: (message: MessageDto | null) => void;
  hint: string;
}) {
  const queries = useQueryClient();
  const field = useRef<HTMLTextAreaElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = useSendOnce(useCallback(uploadAndReply, []));
  const check = file && checkAttachment(file);
  const problem = check && 'problem' in check ? check.problem : null;
  const kind = check && 'type' in check ? check : null;
  const text = kind && !kind.takesText ? '' : draft.trim();
  const maxLength = file ? MAX_CAPTION : MAX_TEXT;
  const isReady = problem === null && text.length <= maxLength && (text !== '' || kind !== null);

  useEffect(() => {
    if (replyTo) field.current?.focus();
  }, [replyTo]);

  const submit = async () => {
    if (!isReady) return;
    setSending(true);
    setError(null);
    const { id: conversationId } = conversation;
    try {
      await send({ conversationId, text, file, type: kind?.type ?? 'Text', replyTo: replyTo?.id });
      onDraft('');
      setFile(null);
      onReplyTo(null);
    } catch (refusal) {
      setError(refusal);
      // The platform decides whether the window is open.
      if (asMessagingError(refusal).code === 'window_closed') {
        void queries.invalidateQueries({ queryKey: queryKeys.conversation.one(conversationId), exact: true });
      }
    } finally {
      setSending(false);
      void queries.invalidateQueries({ queryKey: queryKeys.conversation.messages(conversationId) });
      void queries.invalidateQueries({ queryKey: queryKeys.conversations.all });
      field.current?.focus();
    }
  };

  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void submit();
  };

  return (
    <form
      className="answer"
      aria-label="Reply"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {replyTo && (
        <div className="answer-quoted">
          <div className="answer-quoted-words">
            <Quoted message={replyTo} />
          </div>
          <IconButton small icon="close" label="Remove quote" onClick={() => onReplyTo(null)} />
        </div>
      )}
      {file && (
        <AttachmentPreview
          file={file}
          problem={problem}
          onRemove={() => setFile(null)}
          hasNoText={kind?.takesText === false}
        />
      )}
      {error !== null && <ErrorLine error={error} />}
      <div className="answer-line">
        <AttachButton onFile={setFile} />
        <textarea
          ref={field}
          className="input answer-field"
          dir="auto"
          rows={1}
          aria-label="Your reply"
          placeholder={file ? 'Add a caption' : 'Write a reply'}
          value={draft}
          readOnly={isSending}
          disabled={kind?.takesText === false}
          onChange={(event) => onDraft(event.target.value)}
          onKeyDown={onKey}
          onPaste={(event) => {
            const [pasted] = event.clipboardData.files;
            if (!pasted) return;
            event.preventDefault();
            setFile(pasted);
          }}
        />
        <Button type="submit" variant="primary" icon="send" busy={isSending} disabled={!isReady}>
          Send
        </Button>
      </div>
      <p className="hint answer-hint">
        <span>{hint}. Enter sends, Shift+Enter starts a new line.</span>
        {text.length > maxLength * 0.8 && (
          <span className={text.length > maxLength ? 'answer-too-long' : undefined} role="status">
            {count(text.length)} of {count(maxLength)} characters
          </span>
        )}
      </p>
    </form>
  );
}

function AttachButton({ onFile }: { onFile: (file: File) => void }) {
  const chooser = useRef<HTMLInputElement>(null);
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = event.target.files ?? [];
    if (chosen) onFile(chosen);
    // Allow choosing the same file again.
    event.target.value = '';
  };
  return (
    <>
      <input
        ref={chooser}
        type="file"
        accept={ACCEPTED}
        className="visually-hidden"
        tabIndex={-1}
        aria-label="Attachment"
        onChange={choose}
      />
      <IconButton icon="plus" label={`Attach a file. ${LIMITS}`} onClick={() => chooser.current?.click()} />
    </>
  );
}

function AttachmentPreview({
  file,
  problem,
  hasNoText,
  onRemove,
}: {
  file: File;
  problem: string | null;
  hasNoText: boolean;
  onRemove: () => void;
}) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!/^image\/(jpeg|png|webp)$/.test(file.type)) return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(null);
    };
  }, [file]);
  return (
    <div className="attached">
      {url && <img src={url} alt="" />}
      <div className="attached-words">
        <strong dir="auto" className="cut">
          {file.name}
        </strong>
        <span className="hint">
          {bytes(file.size)}
          {hasNoText && '. Cannot have a caption.'}
        </span>
        {problem && (
          <span className="field-error" role="alert">
            {problem}
          </span>
        )}
      </div>
      <IconButton small icon="close" label="Remove file" onClick={onRemove} />
    </div>
  );
}
