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
  /** The URL from which the platform downloads an outbound file. */
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

/** A button that sends its title back. */
export interface ReplyButton {
  id: string;
  title: string;
}

/** A row of a list. */
export interface ListRow {
  id: string;
  title: string;
  description?: string;
}

/** A section of a list. */
export interface ListSection {
  title?: string;
  rows: ListRow[];
}

/** A list that opens from a button. */
export interface InteractiveList {
  buttonText: string;
  sections: ListSection[];
}

/** What a person can press in an outbound Interactive: exactly one of `buttons`, `list` and `link`. */
export interface InteractiveContent {
  buttons?: ReplyButton[];
  list?: InteractiveList;
  link?: { title: string; url: string };
  footer?: string;
}

/** The content of an inbound or outbound message without a template; fields that do not apply are omitted. */
export interface MessageContent {
  /** For Other and Unsupported: the platform's name of the type, such as `edit` or `poll`. */
  kind?: string;
  /** The text, the caption, the label of the pressed button, or the title of the chosen row. */
  text?: string;
  /** For an outbound Text: shows a preview of the first link. */
  previewUrl?: boolean;
  media?: MessageMedia;
  /**
   * For Button and Interactive: the `payload` or `id` of the button or row, or `accept` or `reject` for a call
   * permission request; and the row's description.
   */
  choice?: { id: string | null; description?: string; form?: string };
  /** For an outbound Interactive. */
  interactive?: InteractiveContent;
  /** For a template: the payloads of its quick-reply buttons, by index. */
  quickReplyPayloads?: Record<string, string>;
  /** For Reaction: the platform's id of the message; a null emoji removes the reaction. */
  reaction?: { platformMessageId: string; emoji: string | null };
  /** For Location, and for a template with a location header. */
  location?: { latitude: number; longitude: number; name?: string; address?: string; url?: string };
  contacts?: ContactCard[];
  order?: { catalogId: string | null; items: OrderItem[] };
  /** The platform's id of the message that this one replies to. */
  replyTo?: string;
  forwarded?: boolean;
  /** The ad or post that the person came from; `clickId` is for reporting conversions. */
  referral?: { sourceType?: string; sourceId?: string; sourceUrl?: string; headline?: string; clickId?: string };
  /** When the person last edited the message, in ISO 8601; the other fields show the edited version. */
  editedAt?: string;
  /** When the person revoked the message, in ISO 8601; the rest of the content is deleted. */
  revokedAt?: string;
  /** Why the platform did not deliver the content. */
  problem?: { platformCode: number | null; message: string };
}
