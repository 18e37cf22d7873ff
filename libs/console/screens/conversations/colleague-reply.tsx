import { type ReactNode, useState } from 'react';
import type { ConversationMessageDto } from '../../../client/generated/types.gen';
import { useSession } from '../../app/session';
import { rich, t } from '../../language/translate';
import { IconButton } from '../../ui/button';
import { Note } from '../../ui/states';
import { Time } from '../../ui/time';
import { latestReply } from './latest-reply';
import { isSentHere } from './sent-message';

/** A reply of a colleague that arrived while a reply was being written; null: none, or dismissed. */
export interface ColleagueReply {
  reply: ConversationMessageDto | null;
  /** Whether a reply was to be sent since. */
  isAsked: boolean;
  dismiss: () => void;
  /** Called before a reply is sent; returns whether that must be confirmed by sending again. */
  ask: () => boolean;
}

/**
 * Watches for replies that this tab did not send while `isWriting`; an own reply ends the notice. `isSending`: the next reply may be the
 * one that this tab is sending.
 */
export function useColleagueReply(
  messages: readonly ConversationMessageDto[] | undefined,
  isWriting: boolean,
  isSending: boolean,
): ColleagueReply {
  const { key } = useSession();
  const newestId = messages?.[0]?.id;
  const [state, setState] = useState<{ seenId?: string; reply: ConversationMessageDto | null; isAsked?: boolean }>({
    reply: null,
  });
  const { seenId } = state;
  // It may have failed since.
  const hasFailed = messages?.some(({ id, status }) => id === state.reply?.id && status === 'Failed');
  const reply = isWriting && !hasFailed ? state.reply : null;
  if (messages && newestId !== undefined && newestId !== seenId) {
    const latest = latestReply(messages, seenId);
    const isOwn = latest !== undefined && isSentHere(latest.id);
    if (!isSending || isOwn || latest?.sentBy?.keyId !== key.id) {
      setState({
        ...state,
        seenId: newestId,
        ...(isOwn ? { reply: null } : isWriting && latest && { reply: latest, isAsked: false }),
      });
    }
  }
  const isAsked = state.isAsked === true;
  return {
    ...{ reply, isAsked },
    dismiss: () => setState({ seenId: newestId, reply: null }),
    ask: () => {
      if (!reply || isAsked) return false;
      setState({ ...state, isAsked: true });
      return true;
    },
  };
}

/** The notice above the reply form. */
export function ColleagueNote({ reply, isAsked, dismiss }: ColleagueReply) {
  const { key } = useSession();
  if (!reply) return null;
  const isOwnKey = reply.sentBy?.keyId === key.id;
  const words = {
    name: <bdi>{isOwnKey ? t('Someone with your key') : (reply.sentBy?.keyName ?? t('A deleted key'))}</bdi>,
    // The status is announced once, not every second.
    time: (
      <span aria-live="off">
        <Time at={reply.createdAt} />
      </span>
    ),
  };
  return (
    <ColleagueNotice onClose={dismiss}>
      {isAsked
        ? rich('Not sent yet: {name} replied {time}. Send again if your reply still fits.', words)
        : rich('{name} replied {time}. Read it before you send.', words)}
    </ColleagueNotice>
  );
}

/** A notice of what a colleague did meanwhile. */
export function ColleagueNotice({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <div className="answer" role="status">
      <Note tone="warning">
        <div className="colleague-notice">
          <p>{children}</p>
          <IconButton small icon="close" label={t('Close')} onClick={onClose} />
        </div>
      </Note>
    </div>
  );
}
