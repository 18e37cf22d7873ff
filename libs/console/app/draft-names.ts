import { t } from '../language/translate';
import { keysInTab, storedInTab } from '../ui/storage';
import { DRAFT_PLACE, MAX_AGE_MS } from './drafts';

/** How other tabs are asked for their drafts. */
const CHANNEL = 'console.drafts';
/** How long the answers of other tabs are awaited; a tab that the browser has frozen does not answer. */
const ANSWER_MS = 250;
const LONGEST = 40;

/** What people call a form, by the first part of its name. */
const KINDS: Readonly<Record<string, string>> = {
  campaign: t('Campaign'),
  group: t('Send to groups'),
  single: t('Single message'),
  template: t('Template'),
  reply: t('Reply'),
  'template-reply': t('Template in a conversation'),
};

/** Identifies this tab, which also receives its own questions. */
const TAB = String(Math.random());

type Message = { kind: 'question'; tab: string } | { kind: 'answer'; tab: string; names: string[] };

/** The drafts of this tab, such as “Reply: Your parcel is on its way”, also those that another tab has just invalidated. */
export function draftNames(now = Date.now()): string[] {
  return keysInTab(DRAFT_PLACE).flatMap((place) => nameOf(place, now) ?? []);
}

/** Answers other tabs that ask for the drafts of this one; returns the function that ends this. */
export function nameDraftsToOtherTabs(): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'answer' || data.tab === TAB) return;
    channel.postMessage({ kind: 'answer', tab: data.tab, names: draftNames() });
  };
  return () => channel.close();
}

/** The drafts of all tabs of this browser. */
export async function draftNamesOfBrowser(): Promise<string[]> {
  const names = draftNames();
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'answer' && data.tab === TAB) names.push(...data.names);
  };
  channel.postMessage({ kind: 'question', tab: TAB });
  await new Promise((done) => setTimeout(done, ANSWER_MS));
  channel.close();
  return names;
}

function nameOf(place: string, now: number): string | null {
  try {
    const { savedAt, value } = JSON.parse(storedInTab(place) ?? '') as {
      savedAt: number;
      value: Partial<Record<'name' | 'text' | 'fileName', string>>;
    };
    if (now - savedAt >= MAX_AGE_MS) return null;
    const [, form = ''] = place.slice(DRAFT_PLACE.length).split('.');
    const kind = KINDS[form] ?? t('Draft', {}, 'unsent reply');
    const detail = value.name || value.text || value.fileName;
    if (!detail) return kind;
    return t('{kind}: {detail}', { kind, detail: detail.length > LONGEST ? `${detail.slice(0, LONGEST)}…` : detail });
  } catch {
    return null;
  }
}
