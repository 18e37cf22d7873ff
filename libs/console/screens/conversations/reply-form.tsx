import { useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { sendReply, uploadMedia } from '../../../client/generated/sdk.gen';
import type { ConversationDto, MessageDto, ReplyDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { useSendOnce } from '../../app/send-once';
import { Button, IconButton } from '../../ui/button';
import { bytes, count } from '../../ui/format';
import { ErrorLine } from '../../ui/states';
import { ACCEPTED, judge, LIMITS } from './attachment';
import { Quoted } from './thread-message';

const LONGEST_TEXT = 4096;
const LONGEST_CAPTION = 1024;

/** What somebody means to send. */
interface Meant {
  conversationId: string;
  text: string;
  file: File | null;
  type: NonNullable<ReplyDto['type']>;
  replyTo: string | undefined;
}

/** Uploads the file, if there is one, and sends the reply, both under the key of the intention. */
async function deliver({ conversationId, text, file, type, replyTo }: Meant, idempotencyKey: string) {
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

/** The field for an answer: text, or a file with text. */
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
  const send = useSendOnce(useCallback(deliver, []));
  const judged = file && judge(file);
  const problem = judged && 'problem' in judged ? judged.problem : null;
  const kind = judged && 'type' in judged ? judged : null;
  const text = kind && !kind.takesText ? '' : draft.trim();
  const longest = file ? LONGEST_CAPTION : LONGEST_TEXT;
  const isReady = problem === null && text.length <= longest && (text !== '' || kind !== null);

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
      // The platform has the last word on the window.
      if (asMessagingError(refusal).code === 'window_closed') {
        void queries.invalidateQueries({ queryKey: ['conversation', conversationId], exact: true });
      }
    } finally {
      setSending(false);
      void queries.invalidateQueries({ queryKey: ['conversation', conversationId, 'messages'] });
      void queries.invalidateQueries({ queryKey: ['conversations'] });
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
      aria-label="Answer"
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
          <IconButton small icon="close" label="Do not quote it" onClick={() => onReplyTo(null)} />
        </div>
      )}
      {file && (
        <Attached file={file} problem={problem} onRemove={() => setFile(null)} hasNoText={kind?.takesText === false} />
      )}
      {error !== null && <ErrorLine error={error} />}
      <div className="answer-line">
        <Attach onFile={setFile} />
        <textarea
          ref={field}
          className="input answer-field"
          dir="auto"
          rows={1}
          aria-label="Your answer"
          placeholder={file ? 'Add a text' : 'Write an answer'}
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
        <span>{hint}. Enter sends, Shift and Enter begins a new line.</span>
        {text.length > longest * 0.8 && (
          <span className={text.length > longest ? 'answer-too-long' : undefined} role="status">
            {count(text.length)} of {count(longest)} characters
          </span>
        )}
      </p>
    </form>
  );
}

function Attach({ onFile }: { onFile: (file: File) => void }) {
  const chooser = useRef<HTMLInputElement>(null);
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = event.target.files ?? [];
    if (chosen) onFile(chosen);
    // The same file again is a choice, too.
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
        aria-label="File to attach"
        onChange={choose}
      />
      <IconButton icon="plus" label={`Attach a file. ${LIMITS}`} onClick={() => chooser.current?.click()} />
    </>
  );
}

function Attached({
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
          {hasNoText && '. No text goes with it.'}
        </span>
        {problem && (
          <span className="field-error" role="alert">
            {problem}
          </span>
        )}
      </div>
      <IconButton small icon="close" label="Remove the file" onClick={onRemove} />
    </div>
  );
}
