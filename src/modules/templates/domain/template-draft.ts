import type { TemplateCategory } from './template';
import type { HeaderFormat, ParameterFormat, TemplateComponents } from './template-components';

/** Buttons that can be written here; templates with any other come from the platform's console. */
export const DRAFT_BUTTON_TYPES = ['QuickReply', 'Url', 'PhoneNumber', 'CopyCode', 'Otp'] as const;
/** See DRAFT_BUTTON_TYPES. */
export type DraftButtonType = (typeof DRAFT_BUTTON_TYPES)[number];

/** How a one-time password reaches the app that asked for it. */
export const OTP_TYPES = ['CopyCode', 'OneTap', 'ZeroTap'] as const;
/** See OTP_TYPES. */
export type OtpType = (typeof OTP_TYPES)[number];

/** A header as its author writes it; `example` of a variable, `exampleHandle` of an uploaded medium. */
export interface HeaderDraft {
  format: Exclude<HeaderFormat, 'None'>;
  text?: string;
  example?: string;
  exampleHandle?: string;
}

/** A body with an example of each placeholder: a list where they are numbers, values by name where they are names. */
export interface BodyDraft {
  text: string;
  examples?: unknown;
}

/** An app that may take a one-time password. */
export interface OtpApp {
  packageName: string;
  signatureHash: string;
}

/** A button as its author writes it; which fields it has depends on its type. */
export interface ButtonDraft {
  type: DraftButtonType;
  text?: string;
  url?: string;
  /** Of a Url with a variable the whole address, of a CopyCode the code. */
  example?: string;
  phoneNumber?: string;
  otpType?: OtpType;
  supportedApps?: OtpApp[];
  zeroTapTermsAccepted?: boolean;
}

/** What a template shows, as its author writes it; an authentication template has its text from the platform. */
export interface ContentsDraft {
  header?: HeaderDraft;
  body?: BodyDraft;
  footer?: { text: string };
  buttons?: ButtonDraft[];
  addSecurityRecommendation?: boolean;
  codeExpirationMinutes?: number;
}

/** A template to be created and submitted. */
export interface TemplateDraft extends ContentsDraft {
  name: string;
  languageCode: string;
  category: TemplateCategory;
  parameterFormat: ParameterFormat;
  messageTtlSeconds?: number;
}

/** A change of a template; any part of the contents replaces all of them. */
export interface TemplateEdit extends ContentsDraft {
  category?: TemplateCategory;
  messageTtlSeconds?: number;
}

/** Whether an edit brings new contents. */
export function hasContents(edit: ContentsDraft): boolean {
  const { header, body, footer, buttons, addSecurityRecommendation, codeExpirationMinutes } = edit;
  return [header, body, footer, buttons, addSecurityRecommendation, codeExpirationMinutes].some(
    (part) => part !== undefined,
  );
}

/** The contents of a draft as the platform will list them; the text of an authentication template comes with the next sync. */
export function componentsOfDraft(draft: TemplateDraft): TemplateComponents {
  const { header, body, footer, buttons = [] } = draft;
  return {
    parameterFormat: draft.parameterFormat,
    headerFormat: header?.format ?? 'None',
    headerText: header?.format === 'Text' ? (header.text ?? null) : null,
    bodyText: draft.category === 'Authentication' ? '*{{1}}*' : (body?.text ?? ''),
    footerText: footer?.text ?? null,
    buttons: buttons.map(({ type, text, url, phoneNumber }) => ({
      type,
      text: text ?? '',
      url: url ?? null,
      phoneNumber: phoneNumber ?? null,
    })),
    beyondValues: header?.format === 'Location' ? ['location header'] : [],
  };
}
