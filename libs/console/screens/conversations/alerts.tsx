import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { listConversations } from '../../../client/generated/sdk.gen';
import type { ConversationDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { previewWords } from '../../app/vocabulary';
import { t } from '../../language/translate';
import { Menu } from '../../ui/menu';
import { stored, store } from '../../ui/storage';
import { showToast } from '../../ui/toast';
import { isTouchOnly } from '../../ui/touch';
import { nameOf } from './person-name';

/** What is remembered in this browser. */
const NOTIFIES = 'inbox.notifies';
const SOUNDS = 'inbox.sounds';
/** Polling interval of a hidden tab, which has no event stream. */
const POLL_MS = 10_000;
/** A tab that is hidden for longer looks for no messages: each request extends the session. */
const LONGEST_HIDDEN_MS = 3_600_000;
/** Conversations that are looked at; one alert reports the latest. */
const MOST = 20;

/** The menu of alerts for messages that arrive while the tab is hidden: notifications of the desktop and a sound, both off at first. */
export function Alerts({ onOpen }: { onOpen: (conversationId: string) => void }) {
  const canNotify = 'Notification' in window;
  const [notifies, setNotifies] = useState(
    () => canNotify && Notification.permission === 'granted' && stored(NOTIFIES) !== null,
  );
  const [sounds, setSounds] = useState(() => stored(SOUNDS) !== null);
  const open = useRef(onOpen);
  useEffect(() => {
    open.current = onOpen;
  }, [onOpen]);
  useNewMessages(notifies || sounds, (conversation) => {
    if (sounds) beep();
    if (!notifies) return;
    const body = previewWords(conversation.unreadText ?? '');
    const shown = new Notification(nameOf(conversation), { body });
    shown.onclick = () => {
      window.focus();
      open.current(conversation.id);
      shown.close();
    };
  });
  if (isTouchOnly()) return null;
  const setNotifying = async (next: boolean) => {
    const isAllowed = !next || (await Notification.requestPermission()) === 'granted';
    if (!isAllowed) return showToast(t('This browser blocks notifications of the console'));
    store(NOTIFIES, next ? 'on' : null);
    setNotifies(next);
  };
  const setSounding = (next: boolean) => {
    if (next) beep();
    store(SOUNDS, next ? 'on' : null);
    setSounds(next);
  };
  return (
    <Menu
      label={t('Alerts')}
      actions={[
        ...(canNotify
          ? [
              {
                label: t('Notifications while this tab is hidden'),
                icon: notifies ? ('check' as const) : undefined,
                onSelect: () => void setNotifying(!notifies),
              },
            ]
          : []),
        {
          label: t('Sound while this tab is hidden'),
          icon: sounds ? 'check' : undefined,
          onSelect: () => setSounding(!sounds),
        },
      ]}
    />
  );
}

/** Calls `handle` with the conversation of the latest message that arrived while the tab is hidden. */
function useNewMessages(isOn: boolean, handle: (conversation: ConversationDto) => void): void {
  const queries = useQueryClient();
  const latest = useRef(handle);
  useEffect(() => {
    latest.current = handle;
  }, [handle]);
  useEffect(() => {
    if (!isOn) return;
    let timer: ReturnType<typeof setInterval> | undefined;
    let known: string | null = null;
    let hiddenAt = 0;
    const look = async () => {
      const query = { unread: 'true', state: 'Open', limit: MOST } as const;
      const { items } = await call(listConversations, { query });
      const newest = items.toSorted((one, other) => writtenUntil(other).localeCompare(writtenUntil(one)))[0];
      const isNew = newest !== undefined && known !== null && writtenUntil(newest) > known;
      if (known === null || isNew) known = newest ? writtenUntil(newest) : '';
      if (!isNew || document.visibilityState !== 'hidden') return;
      latest.current(newest);
      // The title shows it, too.
      void queries.invalidateQueries({ queryKey: queryKeys.conversations.unread });
    };
    // A failed request is repeated with the next round.
    const round = () => {
      if (Date.now() - hiddenAt > LONGEST_HIDDEN_MS) clearInterval(timer);
      else void look().catch(() => undefined);
    };
    const onVisibilityChange = () => {
      clearInterval(timer);
      known = null;
      if (document.visibilityState !== 'hidden') return;
      hiddenAt = Date.now();
      round();
      timer = setInterval(round, POLL_MS);
    };
    onVisibilityChange();
    document.addEventListener('visibilitychange', onVisibilityChange);
    return () => {
      document.removeEventListener('visibilitychange', onVisibilityChange);
      clearInterval(timer);
    };
  }, [isOn, queries]);
}

/** The end of the reply window, which only a message of the person moves. */
function writtenUntil({ windowExpiresAt }: ConversationDto): string {
  return windowExpiresAt ?? '';
}

/** A short tone. */
function beep(): void {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  volume.gain.value = 0.1;
  tone.frequency.value = 660;
  tone.connect(volume).connect(audio.destination);
  tone.onended = () => void audio.close();
  tone.start();
  tone.stop(audio.currentTime + 0.15);
}
