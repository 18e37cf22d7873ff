import { DomainError, type FieldFault } from '../../../kernel/domain-error';
import type { TemplateStatus } from './template';
import type { HeaderFormat } from './template-components';

/** No template of that name or id in the account. */
export class TemplateNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'template_not_found';

  constructor(name?: string) {
    super(
      name === undefined
        ? 'There is no template with this id. List the templates to find it.'
        : `There is no template "${name}". If it was made in the platform's console, sync the templates first.`,
    );
  }
}

/** The template exists, but not in that language. */
export class TemplateLanguageNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'template_language_not_found';
  override readonly extra: { availableLanguages: string[] };

  constructor(name: string, languageCode: string, availableLanguages: string[]) {
    super(`Template "${name}" has no language "${languageCode}". Use one of: ${availableLanguages.join(', ')}.`);
    this.extra = { availableLanguages };
  }
}

/** The template cannot be sent in its present status. */
export class TemplateNotApprovedError extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'template_not_approved';
  override readonly extra: { templateStatus: TemplateStatus };

  constructor(name: string, languageCode: string, templateStatus: TemplateStatus) {
    super(
      `Template "${name}" (${languageCode}) is ${templateStatus}, and only an Approved one can be sent. ` +
        'If the platform has approved it since, sync the templates.',
    );
    this.extra = { templateStatus };
  }
}

/** The template needs more than a list of values. */
export class TemplateNotSupportedError extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'template_not_supported';

  constructor(name: string, parts: readonly string[]) {
    super(`Template "${name}" needs more than a list of values (${parts.join(', ')}). Use a template without it.`);
  }
}

/** Too few or too many values. */
export class ParameterMismatchError extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'parameter_mismatch';
  override readonly extra: { expected: number; actual: number };

  /** `advice`: what to do, where it is not to give so many values. */
  constructor(expected: number, actual: number, advice?: string) {
    const takes = `The template takes ${expected} ${expected === 1 ? 'value' : 'values'}`;
    super(advice === undefined ? `${takes}, not ${actual}. Give exactly ${expected}.` : `${takes}. ${advice}`);
    this.extra = { expected, actual };
  }
}

/** Values that the platform would refuse, each named by its place in `templateParameters`. */
export class InvalidValuesError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'validation_failed';
  override readonly faults: readonly FieldFault[];

  constructor(faults: readonly FieldFault[]) {
    super(faults[0]?.message ?? 'A value cannot be sent.');
    this.faults = faults.slice(0, 100);
  }
}

/** Header media missing, given twice, or not asked for. */
export class MediaMismatchError extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'media_mismatch';

  constructor(headerFormat: HeaderFormat, given: number) {
    super(MediaMismatchError.remedy(headerFormat, given));
  }

  private static remedy(headerFormat: HeaderFormat, given: number): string {
    if (headerFormat === 'None' || headerFormat === 'Text') {
      return 'The template has no media header. Leave headerMediaId and headerMediaUrl out.';
    }
    const media = headerFormat.toLowerCase();
    return given === 0
      ? `The template's header is ${media === 'image' ? 'an' : 'a'} ${media}. Give headerMediaId or headerMediaUrl.`
      : `The template's header takes one ${media}. Give headerMediaId or headerMediaUrl, not both.`;
  }
}

/** Another sync of the same account is running. */
export class SyncInProgressError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'sync_in_progress';

  constructor() {
    super('The templates of this account are being synced right now. Wait for it, then read the list.');
  }
}
