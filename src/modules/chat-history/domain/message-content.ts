/** Kinds of messages; Unsupported is what the platform would not hand over, Other what it has added since. */
export const MESSAGE_TYPES = [
  'Template',
  'Text',
  'Image',
  'Video',
  'Audio',
  'Document',
  'Sticker',
  'Button',
  'Interactive',
  'Reaction',
  'Location',
  'Contacts',
  'Order',
  'System',
  'Unsupported',
  'Other',
] as const;
/** See MESSAGE_TYPES. */
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** A file in a message. */
export interface MessageMedia {
  /** The platform's id of it: 7 days good for an inbound one, 30 for an uploaded one. */
  mediaId: string | null;
  /** Where the platform takes it from, of an outbound one that was given by address. */
  url?: string;
  mimeType?: string;
  fileName?: string;
  /** Hex or Base64 as the platform writes it. */
  sha256?: string;
  /** A voice message. */
  voice?: boolean;
  animated?: boolean;
}

/** A person whose details were sent as a contact card. */
export interface ContactCard {
  name: string;
  phones: string[];
}

/** One line of an order. */
export interface OrderItem {
  productId: string;
  quantity: number;
  /** In `currency`. */
  price: number | null;
  currency: string | null;
}

/**
 * What stands in a message that is no template, inbound or outbound, in one shape: what a kind of message has not is left
 * out.
 */
export interface MessageContent {
  /** Of Other and Unsupported: what the platform calls it, such as `edit` or `poll`. */
  kind?: string;
  /** What a person reads: the text, the caption, the label of the pressed button, the title of the chosen row. */
  text?: string;
  /** Of a Text that the account sent: the first link in it is shown with what it leads to. */
  previewUrl?: boolean;
  media?: MessageMedia;
  /** Of Button and Interactive: what the business gave the button or row (`payload`, `id`), and a row's description. */
  choice?: { id: string | null; description?: string; form?: string };
  /** Of Reaction: the platform's id of the message; no emoji takes the reaction away. */
  reaction?: { platformMessageId: string; emoji: string | null };
  location?: { latitude: number; longitude: number; name?: string; address?: string; url?: string };
  contacts?: ContactCard[];
  order?: { catalogId: string | null; items: OrderItem[] };
  /** The platform's id of the message that this one answers or reacts to. */
  replyTo?: string;
  forwarded?: boolean;
  /** The advertisement or post that led the person here. */
  referral?: { sourceType?: string; sourceId?: string; sourceUrl?: string; headline?: string };
  /** Why the platform would not hand it over. */
  problem?: { platformCode: number | null; message: string };
}
