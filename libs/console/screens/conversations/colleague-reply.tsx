import { type ReactNode, useState } from 'react';
import type { ConversationMessageDto } from '../../../client/generated/types.gen';
import { useSession } from '../../app/session';
import { rich, t } from '../../language/translate';
import { IconButton } from '../../ui/button';
import { Note } from '../../ui/states';
import { Time } from '../../ui/time';
import { latestReply } from './latest-reply';

/** A reply of a colleague that arrived while a reply was being written; null: none, or dismissed. */
export interface ColleagueReply {
  reply: ConversationMessageDto | null;
  /** Whether a reply was to be sent since. */
  isAsked: boolean;
  dismiss: () => void;
  /** Called before a reply is sent; returns whether that must be confirmed by sending again. */
  ask: () => boolean;
}

/** Watches for replies of other keys while `isWriting`; an own reply ends the notice. */
export function useColleagueReply(
  messages: readonly ConversationMessageDto[] | undefined,
  isWriting: boolean,
): ColleagueReply {
  const { key } = useSession();
  const newestId = messages?.[0]?.id;
  const [state, setState] = useState<{ seenId?: string; reply: ConversationMessageDto | null; isAsked?: boolean }>({
    reply: null,
  });
  const { seenId } = state;
  const reply = isWriting ? state.reply : null;
  if (messages && newestId !== undefined && newestId !== seenId) {
    const latest = latestReply(messages, seenId);
    const isOwn = latest?.sentBy?.keyId === key.id;
    setState({
      ...state,
      seenId: newestId,
      ...(isOwn ? { reply: null } : isWriting && latest && { reply: latest, isAsked: false }),
    });
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
  if (!reply) return null;
  const words = {
    name: <bdi>{reply.sentBy?.keyName ?? t('A deleted key')}</bdi>,
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
        <div className="row draft-note">
          <p>{children}</p>
          <IconButton small icon="close" label={t('Close')} onClick={onClose} />
        </div>
      </Note>
    </div>
  );
}
