/** Types of messages; Unsupported: the platform does not deliver the content; Other: a type that the platform added later. */
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
  /** The platform's id of the file: valid for 7 days when inbound, for 30 when uploaded. */
  mediaId: string | null;
  /** The address from which the platform downloads an outbound file. */
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
 * The content of a message without a template, inbound or outbound, in one shape: fields that do not apply are left out.
 */
export interface MessageContent {
  /** Of Other and Unsupported: the platform's name of the type, such as `edit` or `poll`. */
  kind?: string;
  /** The text, the caption, the label of the pressed button, or the title of the chosen row. */
  text?: string;
  /** Of an outbound Text: the first link is shown with a preview of its page. */
  previewUrl?: boolean;
  media?: MessageMedia;
  /**
   * Of Button and Interactive: the `payload` or `id` that the business gave the button or row, or `accept` or `reject` of a request to
   * call; and the row's description.
   */
  choice?: { id: string | null; description?: string; form?: string };
  /** Of a template: the payloads that its quick-reply buttons were sent with, by their index. */
  quickReplyPayloads?: Record<string, string>;
  /** Of Reaction: the platform's id of the message; null as emoji removes the reaction. */
  reaction?: { platformMessageId: string; emoji: string | null };
  /** Of Location, and of a template with a location header. */
  location?: { latitude: number; longitude: number; name?: string; address?: string; url?: string };
  contacts?: ContactCard[];
  order?: { catalogId: string | null; items: OrderItem[] };
  /** The platform's id of the message that this one answers or reacts to. */
  replyTo?: string;
  forwarded?: boolean;
  /** The advertisement or post that led the person here; `clickId` is what the advertiser reports conversions with. */
  referral?: { sourceType?: string; sourceId?: string; sourceUrl?: string; headline?: string; clickId?: string };
  /** When the person last edited the message, in ISO 8601; the rest is what it says since. */
  editedAt?: string;
  /** When the person revoked the message, in ISO 8601; nothing else of the content is kept. */
  revokedAt?: string;
  /** Why the platform did not deliver the content. */
  problem?: { platformCode: number | null; message: string };
}
