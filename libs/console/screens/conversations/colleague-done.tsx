import { useState } from 'react';
import type { ConversationDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { ColleagueNotice } from './colleague-reply';

type State = ConversationDto['state'];

/** Whether a colleague marked the conversation as done while something was being written in it. */
export interface ColleagueDone {
  isDone: boolean;
  dismiss: () => void;
  /** Called before this tab sets the state, and with undefined if that failed. */
  onOwnChange: (next: State) => void;
}

/** Watches for the end of an open conversation by other tabs and keys. `state`: as loaded; undefined: not yet. */
export function useColleagueDone(state: State, isWriting: boolean): ColleagueDone {
  const [seen, setSeen] = useState<{ state: State; own?: State; isDone: boolean }>({ state, isDone: false });
  if (state !== seen.state) {
    const isDone = seen.state === 'Open' && state === 'Done' && seen.own !== 'Done' && isWriting;
    setSeen({ state, isDone });
  }
  return {
    isDone: seen.isDone && isWriting,
    dismiss: () => setSeen({ ...seen, isDone: false }),
    onOwnChange: (own) => setSeen({ ...seen, own }),
  };
}

/** The notice above the reply form. */
export function ColleagueDoneNote({ isDone, dismiss }: ColleagueDone) {
  return (
    isDone && (
      <ColleagueNotice onClose={dismiss}>
        {t('This conversation was marked as done, by a colleague or in another tab. Your draft is kept.')}
      </ColleagueNotice>
    )
  );
}
