/** Whether placeholders are numbered, `{{1}}`, or named, `{{first_name}}`. */
export const PARAMETER_FORMATS = ['Positional', 'Named'] as const;
/** See PARAMETER_FORMATS. */
export type ParameterFormat = (typeof PARAMETER_FORMATS)[number];

/** Formats of the header. */
export const HEADER_FORMATS = ['None', 'Text', 'Image', 'Video', 'Document', 'Location', 'Product'] as const;
/** See HEADER_FORMATS. */
export type HeaderFormat = (typeof HEADER_FORMATS)[number];

/**
 * Types of buttons. `Otp` delivers the one-time password of an authentication template; `MultiProduct` opens a list of products of
 * the catalog, `Product` the product of the header or card.
 */
export const BUTTON_TYPES = [
  'QuickReply',
  'Url',
  'PhoneNumber',
  'CopyCode',
  'Otp',
  'Flow',
  'Catalog',
  'MultiProduct',
  'Product',
  'VoiceCall',
  'RequestContactInfo',
  'Other',
] as const;
/** See BUTTON_TYPES. */
export type ButtonType = (typeof BUTTON_TYPES)[number];

/** A button below the message; its position in the list is its index on the platform. */
export interface TemplateButton {
  type: ButtonType;
  text: string;
  /** For Url; may end with `{{1}}`. */
  url: string | null;
  /** For PhoneNumber. */
  phoneNumber: string | null;
}

/** Header formats of cards, the same for all cards of a template. */
export const CARD_HEADER_FORMATS = ['Image', 'Video', 'Product'] as const;
/** See CARD_HEADER_FORMATS. */
export type CardHeaderFormat = (typeof CARD_HEADER_FORMATS)[number];

/** A card of a carousel; its buttons are counted from 0. */
export interface TemplateCard {
  headerFormat: CardHeaderFormat;
  bodyText: string | null;
  buttons: TemplateButton[];
}

/** A limited-time offer: its text, and whether the message shows when it ends. */
export interface TemplateOffer {
  text: string;
  hasExpiration: boolean;
}

/** The contents of a template. */
export interface TemplateComponents {
  parameterFormat: ParameterFormat;
  headerFormat: HeaderFormat;
  headerText: string | null;
  bodyText: string;
  footerText: string | null;
  buttons: TemplateButton[];
  offer: TemplateOffer | null;
  /** The cards of a carousel, in order; empty: not a carousel. */
  cards: TemplateCard[];
  /** Whether the message asks for permission to call the recipient; absent: no. */
  callPermissionRequest?: boolean;
  /** Parts that this service cannot send, such as `order details button`: a template with any of them is not sendable. */
  unsupported: string[];
}

/** Whether two contents are equal, so that their sends do not differ. */
export function sameComponents(one: TemplateComponents, other: TemplateComponents): boolean {
  return serialised(one) === serialised(other);
}

function serialised(components: TemplateComponents): string {
  const { parameterFormat, headerFormat, headerText, bodyText, footerText, buttons, offer, cards } = components;
  const { callPermissionRequest = false, unsupported } = components;
  return JSON.stringify([
    ...[parameterFormat, headerFormat, headerText, bodyText, footerText, buttons.map(fieldsOf)],
    ...[offer && [offer.text, offer.hasExpiration], callPermissionRequest, unsupported],
    cards.map((card) => [card.headerFormat, card.bodyText, card.buttons.map(fieldsOf)]),
  ]);
}

function fieldsOf({ type, text, url, phoneNumber }: TemplateButton): unknown[] {
  return [type, text, url, phoneNumber];
}
