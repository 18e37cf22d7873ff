import type { TemplateCategory } from '../domain/template';
import type { ButtonDraft, CardDraft, HeaderDraft, OtpType, TemplateDraft } from '../domain/template-draft';

const CATEGORIES: Record<TemplateCategory, string> = {
  Marketing: 'MARKETING',
  Utility: 'UTILITY',
  Authentication: 'AUTHENTICATION',
};

const BUTTON_TYPES: Record<ButtonDraft['type'], string> = {
  QuickReply: 'QUICK_REPLY',
  Url: 'URL',
  PhoneNumber: 'PHONE_NUMBER',
  CopyCode: 'COPY_CODE',
  Otp: 'OTP',
  Flow: 'FLOW',
  Catalog: 'CATALOG',
  MultiProduct: 'MPM',
  Product: 'SPM',
  VoiceCall: 'VOICE_CALL',
  RequestContactInfo: 'REQUEST_CONTACT_INFO',
};

const FLOW_ACTIONS = { Navigate: 'navigate', DataExchange: 'data_exchange' };

const OTP_TYPES: Record<OtpType, string> = { CopyCode: 'COPY_CODE', OneTap: 'ONE_TAP', ZeroTap: 'ZERO_TAP' };

/** A category in the platform's spelling. */
export function wireCategory(category: TemplateCategory): string {
  return CATEGORIES[category];
}

/** The contents of a validated draft in the platform's format. */
export function wireComponents(draft: TemplateDraft): object[] {
  const { header, body, footer, buttons = [] } = draft;
  const named = draft.parameterFormat === 'Named';
  const last = buttons.length > 0 ? [{ type: 'BUTTONS', buttons: buttons.map(wireButton) }] : [];
  if (draft.category === 'Authentication') {
    const { addSecurityRecommendation, codeExpirationMinutes: minutes } = draft;
    return [
      { type: 'BODY', ...(addSecurityRecommendation && { add_security_recommendation: true }) },
      ...(minutes === undefined ? [] : [{ type: 'FOOTER', code_expiration_minutes: minutes }]),
      ...last,
    ];
  }
  const { offer, cards, callPermissionRequest } = draft;
  return [
    ...(header ? [wireHeader(header, named)] : []),
    ...(offer
      ? [{ type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: offer.text, has_expiration: offer.hasExpiration } }]
      : []),
    { type: 'BODY', text: body?.text, ...bodyExample(body?.examples, named) },
    ...(footer ? [{ type: 'FOOTER', text: footer.text }] : []),
    ...(callPermissionRequest ? [{ type: 'CALL_PERMISSION_REQUEST' }] : []),
    ...last,
    ...(cards ? [{ type: 'CAROUSEL', cards: cards.map((card) => ({ components: wireCard(card, named) })) }] : []),
  ];
}

function wireCard({ header, body, buttons = [] }: CardDraft, named: boolean): object[] {
  return [
    wireHeader(header, named),
    ...(body ? [{ type: 'BODY', text: body.text, ...bodyExample(body.examples, named) }] : []),
    ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons: buttons.map(wireButton) }] : []),
  ];
}

function wireHeader({ format, text, example, exampleHandle }: HeaderDraft, named: boolean): object {
  const part = { type: 'HEADER', format: format.toUpperCase() };
  if (exampleHandle !== undefined) return { ...part, example: { header_handle: [exampleHandle] } };
  if (format !== 'Text') return part;
  if (example === undefined) return { ...part, text };
  const name = /\{\{([^{}]+)\}\}/.exec(text ?? '')?.[1];
  const examples = named ? { header_text_named_params: [{ param_name: name, example }] } : { header_text: [example] };
  return { ...part, text, example: examples };
}

function bodyExample(examples: unknown, named: boolean): object {
  const entries = Object.entries((examples ?? {}) as Record<string, string>);
  if (entries.length === 0) return {};
  return named
    ? { example: { body_text_named_params: entries.map(([param_name, example]) => ({ param_name, example })) } }
    : { example: { body_text: [entries.map(([, example]) => example)] } };
}

function wireButton(button: ButtonDraft): object {
  const { text, url, example, phoneNumber, otpType, autofillText, supportedApps, zeroTapTermsAccepted } = button;
  const { flowId, flowAction = 'Navigate', navigateScreen } = button;
  return {
    type: BUTTON_TYPES[button.type],
    ...(text !== undefined && { text }),
    ...(url !== undefined && { url }),
    ...(example !== undefined && { example: button.type === 'Url' ? [example] : example }),
    ...(phoneNumber !== undefined && { phone_number: phoneNumber }),
    ...(flowId !== undefined && { flow_id: flowId, flow_action: FLOW_ACTIONS[flowAction] }),
    ...(navigateScreen !== undefined && { navigate_screen: navigateScreen }),
    ...(otpType !== undefined && { otp_type: OTP_TYPES[otpType] }),
    ...(autofillText !== undefined && { autofill_text: autofillText }),
    ...(supportedApps !== undefined && {
      supported_apps: supportedApps.map(({ packageName, signatureHash }) => ({
        package_name: packageName,
        signature_hash: signatureHash,
      })),
    }),
    ...(zeroTapTermsAccepted && { zero_tap_terms_accepted: true }),
  };
}
