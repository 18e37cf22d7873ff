import { t } from '../../language/translate';
import type { ShownConversations } from './conversation-list-query';

/** What the list can show. */
export const SHOWN = [
  { value: 'wrote', label: t('People who wrote') },
  { value: 'waiting', label: t('Waiting for a reply') },
  { value: 'unread', label: t('Unread') },
  { value: 'keywords', label: t('STOP, START and the like') },
  { value: 'all', label: t('Everyone, with campaigns') },
] as const;

/** The orders of who waits for a reply. */
export const ORDERS = [
  { value: 'longestWaiting', label: t('Longest wait first') },
  { value: 'newest', label: t('Latest first') },
] as const;

/** The texts of an empty list. */
export function emptyOf({ search, show, state }: ShownConversations): { title: string; hint: string } {
  if (search !== '') {
    return {
      title: t('No matches'),
      hint: t('Search by part of a name, or by the start or the last 4 digits of a number.'),
    };
  }
  switch (show) {
    case 'waiting':
      return { title: t('Everyone has a reply'), hint: t('New messages appear here automatically.') };
    case 'unread':
      return { title: t('All read'), hint: t('New messages appear here automatically.') };
    case 'keywords':
      return {
        title: t('No opt-outs by message'),
        hint: t('People whose messages only say STOP, START or the like appear here.'),
      };
    case 'all':
      return {
        title: t('No conversations yet'),
        hint: t(
          'A conversation starts with the first message: one that you send, or one that a person writes to the number of a sender.',
        ),
      };
    default:
      return state === 'Done'
        ? {
            title: t('Nothing done yet'),
            hint: t('Conversations that you mark as done appear here until the person writes again.'),
          }
        : {
            title: t('Nothing to do'),
            hint: t('New messages appear here automatically. Search covers everyone else.'),
          };
  }
}
