/** What stands above the text of a message. `src`: where a picture or film is, if it may be shown. */
export type BubbleHeader =
  | { kind: 'text'; text: string }
  | { kind: 'image' | 'video' | 'sticker' | 'audio'; src?: string | null }
  | { kind: 'document'; fileName: string | null }
  | { kind: 'location'; name: string | null; address: string | null };

/** A button below a message. `value`: where it leads, or the code that it copies. */
export interface BubbleButton {
  kind: 'reply' | 'link' | 'call' | 'copy' | 'form' | 'other';
  text: string;
  value?: string | null;
}

/** A message as a phone shows it. Texts are as WhatsApp writes them, with `openVariable(…)` where a value is missing. */
export interface BubbleContent {
  header?: BubbleHeader | null;
  body: string;
  footer?: string | null;
  buttons?: readonly BubbleButton[];
  /** Instead of a text, in small type: “This message was deleted”. */
  notice?: string;
}
