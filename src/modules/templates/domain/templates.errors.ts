import { domainError, type FieldError } from '../../../kernel/domain-error';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { SHARED_EXPLANATIONS } from '../../../kernel/shared-explanations';
import { AccountWithoutSenderError, SenderNotFoundError } from '../../accounts/domain/accounts.errors';
import type { TemplateStatus } from './template';
import type { HeaderFormat } from './template-components';

/** What is known about a template that was not found. */
interface UnknownTemplate {
  /** The name that was probably meant; null if none is close. */
  suggestion?: string | null;
  /** Whether it is spelt differently, not only in case or spaces. */
  isSpelling?: boolean;
  /** The account cannot have templates yet. */
  hasNoSender?: true;
}

/** The account has no template with this name or id. */
export class TemplateNotFoundError extends domainError({
  code: 'template_not_found',
  kind: 'not_found',
  when: 'No template has this name or id.',
  remedy:
    "List the templates with `GET /templates`. If it was created in the platform's console, run `POST " +
    '/templates/sync` first.',
}) {
  constructor(name?: string, facts: UnknownTemplate = {}) {
    super(
      name === undefined
        ? 'No template has this id. List the templates to find it.'
        : `There is no template "${name}". ${adviceFor(facts)}`,
    );
  }
}

function adviceFor({ suggestion, isSpelling = false, hasNoSender }: UnknownTemplate): string {
  if (hasNoSender)
    return 'The account has no sender yet: ask the operator of the service to add a phone number of the platform.';
  const meant = suggestion ? [`Did you mean "${suggestion}"?`] : [];
  if (suggestion && !isSpelling) return `${meant.join(' ')} It differs only in case or spaces.`;
  return [...meant, "If it was created in the platform's console, sync the templates first."].join(' ');
}

/** The template does not exist in this language. */
export class TemplateLanguageNotFoundError extends domainError({
  code: 'template_language_not_found',
  kind: 'not_found',
  when: 'The template exists, but not in this language.',
  remedy: 'Send one of `availableLanguages`, or sync the templates.',
  extra: {
    availableLanguages: { type: 'array', description: 'languages of the template', example: ['en_US', 'de'] },
  },
}) {
  override readonly extra: { availableLanguages: string[] };

  constructor(name: string, languageCode: string, availableLanguages: string[]) {
    super(`Template "${name}" has no language "${languageCode}". Use one of: ${availableLanguages.join(', ')}.`);
    this.extra = { availableLanguages };
  }
}

/** The template belongs to another business account than the sender. */
export class TemplateOfOtherSenderError extends domainError({
  code: 'template_of_other_sender',
  kind: 'unprocessable',
  when: "The template belongs to another of the account's business accounts than the sender.",
  remedy:
    'Send from a sender of its business account, or use a template that the sender has: `GET /templates?senderId=` lists them.',
}) {
  constructor(name: string, languageCode: string) {
    super(
      `Template "${name}" (${languageCode}) belongs to another business account than the sender. Name a sender of its ` +
        'business account in senderId, or use a template of this one.',
    );
  }
}

/** The template cannot be sent in its current status. */
export class TemplateNotApprovedError extends domainError({
  code: 'template_not_approved',
  kind: 'unprocessable',
  ...SHARED_EXPLANATIONS.template_not_approved,
  extra: { templateStatus: { type: 'string', description: 'its status', example: 'Pending' } },
}) {
  override readonly extra: { templateStatus: TemplateStatus };

  constructor(name: string, languageCode: string, templateStatus: TemplateStatus) {
    super(
      `Template "${name}" (${languageCode}) is ${templateStatus}, and only an Approved one can be sent. ` +
        'If the platform has approved it since, sync the templates.',
    );
    this.extra = { templateStatus };
  }
}

/** The template has parts that this service cannot send. */
export class TemplateNotSupportedError extends domainError({
  code: 'template_not_supported',
  kind: 'unprocessable',
  when:
    'The template has a part that this service cannot send, such as an order (`ORDER_DETAILS`, `ORDER_STATUS`), or it has a ' +
    'location header and `headerLocation` is missing. `unsupported` of the template lists such parts.',
  remedy: 'Send `headerLocation` for a location header; otherwise use a template whose `unsupported` is empty.',
}) {
  constructor(name: string, parts: readonly string[], advice = 'Use a template without such content.') {
    super(`Template "${name}" has parts that cannot be sent with this service (${parts.join(', ')}). ${advice}`);
  }
}

/** The place of a location header is missing. */
export class LocationMissingError extends TemplateNotSupportedError {
  override readonly message: string;

  constructor(name: string) {
    super(name, []);
    this.message = `Template "${name}" has a location header. Send headerLocation with latitude, longitude, name and address.`;
  }
}

/** The number of values is wrong. */
export class ParameterMismatchError extends domainError({
  code: 'parameter_mismatch',
  kind: 'unprocessable',
  when:
    'The values do not match the placeholders of the template in number, length or form, or `quickReplyPayloads` ' +
    'does not match its buttons. `message` says what is wrong; `errors` is present if single values, columns or attributes are.',
  remedy:
    "Send exactly `expected` values, in the order of the template's placeholders; correct the fields in `errors`; send payloads " +
    'only for quick-reply buttons.',
  extra: {
    expected: {
      type: 'integer',
      description: 'number of values, or quick-reply payloads, the template takes',
      example: 2,
    },
    actual: {
      type: 'integer',
      description:
        'number given; for `parameterDefaults` with keys beyond the template: `expected` plus the number of such keys; for a send to ' +
        'groups in which no contact fills a placeholder: the number of placeholders that some contact or a default fills',
      example: 1,
    },
  },
}) {
  override readonly extra: { expected: number; actual: number };

  /** `advice`: a remedy other than sending exactly this number of values; `errors`: the fields at fault. */
  constructor(
    expected: number,
    actual: number,
    advice?: string,
    override readonly errors: readonly FieldError[] = [],
  ) {
    const takes = `The template takes ${expected} ${expected === 1 ? 'value' : 'values'}`;
    super(advice === undefined ? `${takes}, not ${actual}. Send exactly ${expected}.` : `${takes}. ${advice}`);
    this.extra = { expected, actual };
  }
}

/** A payload for a button that does not exist or is not a quick reply. */
export class PayloadMismatchError extends ParameterMismatchError {
  override readonly message: string;

  /** `indices`: the quick-reply buttons of the template; `given`: how many payloads there were. */
  constructor(indices: readonly string[], given: number) {
    super(indices.length, given);
    this.message =
      indices.length === 0
        ? 'The template has no quick-reply buttons. Remove quickReplyPayloads.'
        : `The quick-reply buttons of the template have the indices ${indices.join(', ')}. Use only these as keys of quickReplyPayloads.`;
  }
}

/** Extras other than header media do not match the template. */
export class ExtrasMismatchError extends domainError({
  code: 'extras_mismatch',
  kind: 'unprocessable',
  when:
    '`headerProduct`, `offerExpiresAt`, `flow`, `products`, `tapTarget` or `cards` is missing, not allowed or incomplete for this template; ' +
    '`errors` has one entry for each field.',
  remedy: 'Send what `needs` and `cards` of the template list, and correct the fields in `errors`.',
}) {
  override readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super(errors[0]?.message ?? 'The extras do not match the template.');
    this.errors = errors;
  }
}

/** Values that do not match the template: too long, or in the wrong format. */
export class ValueMismatchError extends ParameterMismatchError {
  override readonly message: string;

  /** `count`: number of values, which is right. */
  constructor(count: number, errors: readonly FieldError[]) {
    super(count, count, undefined, errors);
    this.message = errors[0]?.message ?? 'A value does not match the template.';
  }
}

/** Values that the platform would refuse, identified by their index in `templateParameters`. */
export class InvalidValuesError extends ValidationFailedError {
  constructor(errors: readonly FieldError[]) {
    super(errors, errors[0]?.message);
  }
}

/** Header media is missing, given twice, or not allowed. */
export class MediaMismatchError extends domainError({
  code: 'media_mismatch',
  kind: 'unprocessable',
  when: 'The header media is missing, given twice or not allowed, or a location was given for another kind of header.',
  remedy:
    'Send exactly one of `headerMediaId` and `headerMediaUrl` if the template has a media header, otherwise neither; ' +
    '`headerMediaFileName` only with a document, `headerLocation` only with a location header.',
}) {
  /** `given`: number of media; `isPlaced`: a location was given for another header. */
  constructor(headerFormat: HeaderFormat, given: number, isPlaced = false) {
    super(MediaMismatchError.remedy(headerFormat, given, isPlaced));
  }

  private static remedy(headerFormat: HeaderFormat, given: number, isPlaced: boolean): string {
    if (isPlaced) return 'The template has no location header. Remove headerLocation.';
    if (headerFormat === 'None' || headerFormat === 'Text' || headerFormat === 'Location') {
      return 'The template has no media header. Remove headerMediaId, headerMediaUrl and headerMediaFileName.';
    }
    const media = headerFormat.toLowerCase();
    if (given === 1) return `The template's header is not a document. Remove headerMediaFileName.`;
    return given === 0
      ? `The template's header is ${media === 'image' ? 'an' : 'a'} ${media}. Send headerMediaId or headerMediaUrl.`
      : `The template's header takes one ${media}. Send headerMediaId or headerMediaUrl, not both.`;
  }
}

/** Recipients of the template must be given by phone number. */
export class RecipientIdNotAllowedError extends domainError({
  code: 'recipient_id_not_allowed',
  kind: 'unprocessable',
  ...SHARED_EXPLANATIONS.recipient_id_not_allowed,
}) {
  constructor() {
    super('Authentication templates can be sent only to phone numbers. Send to instead of userId.');
  }
}

/** Another sync of the same account is running. */
export class SyncInProgressError extends domainError({
  code: 'sync_in_progress',
  kind: 'conflict',
  when: 'A sync of the templates is running.',
  remedy: 'Wait until it has ended, then list the templates.',
}) {
  constructor() {
    super('The templates of this account are being synced. Wait until the sync has ended, then read the list.');
  }
}

/** The errors of every request that sends a template. */
export const TEMPLATE_SEND_ERRORS = [
  SenderNotFoundError,
  TemplateNotFoundError,
  TemplateLanguageNotFoundError,
  TemplateOfOtherSenderError,
  TemplateNotApprovedError,
  TemplateNotSupportedError,
  MediaMismatchError,
  ExtrasMismatchError,
  RecipientIdNotAllowedError,
  AccountWithoutSenderError,
];
