/** What is typed, kept until it is sent. */
export interface ReplyDraft {
  text: string;
  /** Id of the message that is quoted; empty: none. */
  replyTo: string;
  /** The file has to be chosen again; empty: none was. */
  fileName: string;
  /** What was typed while `text` was being sent; kept apart until that has succeeded: repeated with another text, it could arrive twice. */
  next: string;
}

/** The name of the draft of a reply. */
export function replyDraftOf(conversationId: string): string {
  return `reply.${conversationId}`;
}
