import type { TemplateCategory } from '../domain/template';
import type { ButtonDraft, HeaderDraft, OtpType, TemplateDraft } from '../domain/template-draft';

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
};

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
  return [
    ...(header ? [wireHeader(header, named)] : []),
    { type: 'BODY', text: body?.text, ...bodyExample(body?.examples, named) },
    ...(footer ? [{ type: 'FOOTER', text: footer.text }] : []),
    ...last,
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
  const { text, url, example, phoneNumber, otpType, supportedApps, zeroTapTermsAccepted } = button;
  return {
    type: BUTTON_TYPES[button.type],
    ...(text !== undefined && { text }),
    ...(url !== undefined && { url }),
    ...(example !== undefined && { example: button.type === 'Url' ? [example] : example }),
    ...(phoneNumber !== undefined && { phone_number: phoneNumber }),
    ...(otpType !== undefined && { otp_type: OTP_TYPES[otpType] }),
    ...(supportedApps !== undefined && {
      supported_apps: supportedApps.map(({ packageName, signatureHash }) => ({
        package_name: packageName,
        signature_hash: signatureHash,
      })),
    }),
    ...(zeroTapTermsAccepted && { zero_tap_terms_accepted: true }),
  };
}
