import type { TemplateCategory } from './template';
import type {
  CardHeaderFormat,
  HeaderFormat,
  ParameterFormat,
  TemplateButton,
  TemplateComponents,
  TemplateOffer,
} from './template-components';

/** Types of buttons that this API can create; others can be created only in the platform's console. */
export const DRAFT_BUTTON_TYPES = [
  ...(['QuickReply', 'Url', 'PhoneNumber', 'CopyCode', 'Otp', 'Flow', 'Catalog'] as const),
  ...(['MultiProduct', 'Product', 'VoiceCall', 'RequestContactInfo'] as const),
] as const;
/** See DRAFT_BUTTON_TYPES. */
export type DraftButtonType = (typeof DRAFT_BUTTON_TYPES)[number];

/** How a one-time password is delivered to the app. */
export const OTP_TYPES = ['CopyCode', 'OneTap', 'ZeroTap'] as const;
/** See OTP_TYPES. */
export type OtpType = (typeof OTP_TYPES)[number];

/** What a Flow button opens first: a screen, or the response of the flow's endpoint. */
export const FLOW_ACTIONS = ['Navigate', 'DataExchange'] as const;
/** See FLOW_ACTIONS. */
export type FlowAction = (typeof FLOW_ACTIONS)[number];

/** The header of a draft; `example`: for its placeholder, `exampleHandle`: of an uploaded media file. */
export interface HeaderDraft {
  format: Exclude<HeaderFormat, 'None'>;
  text?: string;
  example?: string;
  exampleHandle?: string;
}

/** The body of a draft with one example per placeholder: a list for numbered, an object for named placeholders. */
export interface BodyDraft {
  text: string;
  examples?: unknown;
}

/** An app that may receive the one-time password. */
export interface OtpApp {
  packageName: string;
  signatureHash: string;
}

/** A button of a draft; its fields depend on its type. */
export interface ButtonDraft {
  type: DraftButtonType;
  text?: string;
  url?: string;
  /** For a Url with placeholder: the complete address; for CopyCode: the code. */
  example?: string;
  phoneNumber?: string;
  flowId?: string;
  flowAction?: FlowAction;
  navigateScreen?: string;
  otpType?: OtpType;
  /** Label of the button that fills in the password. */
  autofillText?: string;
  supportedApps?: OtpApp[];
  zeroTapTermsAccepted?: boolean;
}

/** The header of a card; `exampleHandle`: of an uploaded media file, for Image and Video. */
export interface CardHeaderDraft {
  format: CardHeaderFormat;
  exampleHandle?: string;
}

/** A card of a carousel. */
export interface CardDraft {
  header: CardHeaderDraft;
  body?: BodyDraft;
  buttons?: ButtonDraft[];
}

/** The contents of a draft; the platform provides the text of an authentication template. */
export interface ContentsDraft {
  header?: HeaderDraft;
  body?: BodyDraft;
  footer?: { text: string };
  buttons?: ButtonDraft[];
  offer?: TemplateOffer;
  cards?: CardDraft[];
  /** Whether the message asks for permission to call the recipient; absent in an edit: unchanged. */
  callPermissionRequest?: boolean;
  addSecurityRecommendation?: boolean;
  codeExpirationMinutes?: number;
}

/** A template to create and submit. */
export interface TemplateDraft extends ContentsDraft {
  name: string;
  languageCode: string;
  category: TemplateCategory;
  parameterFormat: ParameterFormat;
  messageTtlSeconds?: number;
}

/** An edit of a template; if any part of the contents is given, all contents are replaced. */
export interface TemplateEdit extends ContentsDraft {
  category?: TemplateCategory;
  messageTtlSeconds?: number;
}

/** Whether an edit has contents. */
export function hasContents(edit: ContentsDraft): boolean {
  const { header, body, footer, buttons, offer, cards, callPermissionRequest } = edit;
  const { addSecurityRecommendation, codeExpirationMinutes } = edit;
  return [
    ...[header, body, footer, buttons, offer, cards, callPermissionRequest],
    ...[addSecurityRecommendation, codeExpirationMinutes],
  ].some((part) => part !== undefined);
}

/** The contents of a draft as the platform will list them; the text of an authentication template follows with the next sync. */
export function componentsOfDraft(draft: TemplateDraft): TemplateComponents {
  const { header, body, footer, buttons = [] } = draft;
  return {
    parameterFormat: draft.parameterFormat,
    headerFormat: header?.format ?? 'None',
    headerText: header?.format === 'Text' ? (header.text ?? null) : null,
    bodyText: draft.category === 'Authentication' ? '*{{1}}*' : (body?.text ?? ''),
    footerText: footer?.text ?? null,
    buttons: buttons.map(buttonOf),
    offer: draft.offer ?? null,
    cards: (draft.cards ?? []).map((card) => ({
      headerFormat: card.header.format,
      bodyText: card.body?.text ?? null,
      buttons: (card.buttons ?? []).map(buttonOf),
    })),
    ...(draft.callPermissionRequest && { callPermissionRequest: true }),
    unsupported: [],
  };
}

function buttonOf({ type, text, url, phoneNumber }: ButtonDraft): TemplateButton {
  return { type, text: text ?? '', url: url ?? null, phoneNumber: phoneNumber ?? null };
}
