import type { ButtonDraftDto, TemplateDto } from '../../../client/generated/types.gen';

/** The types of buttons that the API cannot create. */
const OTHER = 'Other';

/** The button of a form for that of a stored template; none if the API cannot create it. */
export function buttonDraft({ type, text, url, phoneNumber }: TemplateDto['buttons'][number]): ButtonDraftDto[] {
  if (type === OTHER) return [];
  return [{ type, text, ...(url && { url }), ...(phoneNumber && { phoneNumber }) }];
}

/** Keeps only the fields of the button's type. */
export function cleanButton(button: ButtonDraftDto): ButtonDraftDto {
  const { type, text = '', url = '', example = '', phoneNumber = '' } = button;
  switch (type) {
    case 'CopyCode':
      return { type, example };
    case 'Url':
      return { type, text, url, ...(url.includes('{{') && example && { example }) };
    case 'PhoneNumber':
      return { type, text, phoneNumber };
    case 'RequestContactInfo':
      // WhatsApp labels it in the language of the template.
      return { type };
    case 'Flow':
      return { type, text, ...flowOf(button) };
    case 'Otp':
      return { type, ...passwordOf(button) };
    default:
      return { type, text };
  }
}

function flowOf({ flowId, flowAction = 'Navigate', navigateScreen }: ButtonDraftDto): Partial<ButtonDraftDto> {
  const isNavigated = flowAction === 'Navigate' && navigateScreen;
  return { flowAction, ...(flowId && { flowId }), ...(isNavigated && { navigateScreen }) };
}

/** Without a label, WhatsApp labels the button in the language of the template. */
function passwordOf(button: ButtonDraftDto): Partial<ButtonDraftDto> {
  const { otpType = 'CopyCode', autofillText, supportedApps = [], zeroTapTermsAccepted = false } = button;
  if (otpType === 'CopyCode') return { otpType };
  return {
    ...{ otpType, supportedApps },
    ...(autofillText && { autofillText }),
    ...(otpType === 'ZeroTap' && { zeroTapTermsAccepted }),
  };
}
