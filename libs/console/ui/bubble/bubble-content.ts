/** The part above the text of a message. `src`: URL of the picture or video, if it may be shown. */
export type BubbleHeader =
  | { kind: 'text'; text: string }
  | { kind: 'image' | 'video' | 'sticker' | 'audio' | 'product'; src?: string | null }
  | { kind: 'document'; fileName: string | null }
  | { kind: 'location'; name: string | null; address: string | null; mapUrl?: string };

/** A button below a message. `value`: its link target, phone number, or the code it copies. */
export interface BubbleButton {
  kind: 'reply' | 'link' | 'call' | 'copy' | 'form' | 'other';
  text: string;
  value?: string | null;
}

/** A card of a carousel. `body` may be empty. */
export interface BubbleCard {
  header: BubbleHeader;
  body: string;
  buttons: readonly BubbleButton[];
}

/** A limited-time offer. `note`: when it ends, or the code it has. */
export interface BubbleOffer {
  text: string;
  note: string | null;
}

/** A message as a phone shows it. Texts use WhatsApp's markup, with `openVariable(…)` for missing values. */
export interface BubbleContent {
  header?: BubbleHeader | null;
  body: string;
  footer?: string | null;
  buttons?: readonly BubbleButton[];
  offer?: BubbleOffer | null;
  /** Below the message, in a row. */
  cards?: readonly BubbleCard[];
  /** Small print in place of a text, such as “This message was deleted”. */
  notice?: string;
}
