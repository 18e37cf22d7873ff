/** Whether placeholders are numbered, `{{1}}`, or named, `{{first_name}}`. */
export const PARAMETER_FORMATS = ['Positional', 'Named'] as const;
/** See PARAMETER_FORMATS. */
export type ParameterFormat = (typeof PARAMETER_FORMATS)[number];

/** Formats of the header. */
export const HEADER_FORMATS = ['None', 'Text', 'Image', 'Video', 'Document', 'Location'] as const;
/** See HEADER_FORMATS. */
export type HeaderFormat = (typeof HEADER_FORMATS)[number];

/** Types of buttons; `Otp` delivers the one-time password of an authentication template. */
export const BUTTON_TYPES = [
  'QuickReply',
  'Url',
  'PhoneNumber',
  'CopyCode',
  'Otp',
  'Flow',
  'Catalog',
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

/** The contents of a template. */
export interface TemplateComponents {
  parameterFormat: ParameterFormat;
  headerFormat: HeaderFormat;
  headerText: string | null;
  bodyText: string;
  footerText: string | null;
  buttons: TemplateButton[];
  /** Parts that need more than values, such as `carousel`: a template with any of them cannot be sent. */
  beyondValues: string[];
}

/** Whether two contents are equal, so that sends of both would not differ. */
export function sameComponents(one: TemplateComponents, other: TemplateComponents): boolean {
  return inFixedOrder(one) === inFixedOrder(other);
}

function inFixedOrder(components: TemplateComponents): string {
  const { parameterFormat, headerFormat, headerText, bodyText, footerText, buttons, beyondValues } = components;
  const buttonFields = buttons.map(({ type, text, url, phoneNumber }) => [type, text, url, phoneNumber]);
  return JSON.stringify([parameterFormat, headerFormat, headerText, bodyText, footerText, buttonFields, beyondValues]);
}
