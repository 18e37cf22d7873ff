/** How a template names its placeholders: `{{1}}` or `{{first_name}}`. */
export const PARAMETER_FORMATS = ['Positional', 'Named'] as const;
/** See PARAMETER_FORMATS. */
export type ParameterFormat = (typeof PARAMETER_FORMATS)[number];

/** What stands at the top of the message. */
export const HEADER_FORMATS = ['None', 'Text', 'Image', 'Video', 'Document', 'Location'] as const;
/** See HEADER_FORMATS. */
export type HeaderFormat = (typeof HEADER_FORMATS)[number];

/** Kinds of buttons; `Otp` hands the one-time password of an authentication template over. */
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

/** A button below the message; its place in the list is its index on the platform. */
export interface TemplateButton {
  type: ButtonType;
  text: string;
  /** Of Url; a `{{1}}` at its end is filled in. */
  url: string | null;
  /** Of PhoneNumber. */
  phoneNumber: string | null;
}

/** The contents of a template: what it shows, and all that is needed to fill it in. */
export interface TemplateComponents {
  parameterFormat: ParameterFormat;
  headerFormat: HeaderFormat;
  headerText: string | null;
  bodyText: string;
  footerText: string | null;
  buttons: TemplateButton[];
  /** Parts that values alone cannot fill, such as `carousel`: a template with any of them cannot be sent. */
  beyondValues: string[];
}

/** Whether two contents are the same, so that a send made from either would not differ. */
export function sameComponents(one: TemplateComponents, other: TemplateComponents): boolean {
  return inFixedOrder(one) === inFixedOrder(other);
}

function inFixedOrder(components: TemplateComponents): string {
  const { parameterFormat, headerFormat, headerText, bodyText, footerText, buttons, beyondValues } = components;
  const buttonFields = buttons.map(({ type, text, url, phoneNumber }) => [type, text, url, phoneNumber]);
  return JSON.stringify([parameterFormat, headerFormat, headerText, bodyText, footerText, buttonFields, beyondValues]);
}
