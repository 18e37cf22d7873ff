/** What is typed, kept until it is sent. */
export interface ReplyDraft {
  text: string;
  /** Id of the message that is quoted; empty: none. */
  replyTo: string;
  /** The file has to be chosen again; empty: none was. */
  fileName: string;
  /** What was typed while `text` was being sent. */
  next: string;
}

/** The name of the draft of a reply. */
export function replyDraftOf(conversationId: string): string {
  return `reply.${conversationId}`;
}

/** The text of a draft that is not being sent: what was typed during a failed send follows its text. */
export function textOfDraft({ text, next }: Pick<ReplyDraft, 'text' | 'next'>): string {
  return [text, next].filter(Boolean).join('\n');
}
