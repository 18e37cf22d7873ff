import { domainError, type FieldError } from '../../../kernel/domain-error';
import { PlatformUnavailableError } from '../../../kernel/platform.errors';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { SHARED_EXPLANATIONS } from '../../../kernel/shared-explanations';
import type { TemplateStatus } from './template';
import type { PlatformRefusal } from './template-publisher.port';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/** The template violates rules of the platform; nothing was submitted. */
export class InvalidTemplateError extends ValidationFailedError {
  constructor(errors: readonly FieldError[]) {
    super(errors, errors[0]?.message);
  }
}

/** The name is in use in this language, or was until recently. */
export class TemplateNameTakenError extends domainError({
  code: 'template_name_taken',
  kind: 'conflict',
  ...SHARED_EXPLANATIONS.template_name_taken,
}) {
  constructor(name: string, languageCode: string, why: 'exists' | 'blocked') {
    super(
      why === 'exists'
        ? `A template "${name}" in ${languageCode} already exists. Edit it, or choose another name.`
        : `A template "${name}" in ${languageCode} was deleted recently, and the platform blocks its name for 30 days. Choose another name.`,
    );
  }
}

/** The change is not possible in the template's current status. */
export class InvalidTemplateStateError extends domainError({
  code: 'invalid_template_state',
  kind: 'conflict',
  when: 'The status of the template does not allow this change.',
  remedy: "Wait for the platform's review, or sync the templates to get the current status.",
  extra: { templateStatus: { type: 'string', description: 'its status', example: 'Pending' } },
}) {
  override readonly extra: { templateStatus: TemplateStatus };

  constructor(templateStatus: TemplateStatus, message: string) {
    super(message);
    this.extra = { templateStatus };
  }
}

/** The platform refused the change; `errors` contains the field, if it is known. */
export class TemplateRefusedError extends domainError({
  code: 'template_refused',
  kind: 'unprocessable',
  when: 'The platform refused the template; `errors` names the field, if it is known.',
  remedy: 'Correct the field in `errors`, or what `message` names, and submit the template again.',
  extra: {
    platformCode: { type: 'integer', description: "the platform's code", example: 100 },
    platformSubcode: {
      type: 'integer',
      description: "the platform's number for the problem, if it gave one",
      example: 2388299,
    },
  },
}) {
  override readonly extra: { platformCode: number; platformSubcode: number | null };
  override readonly errors: readonly FieldError<string>[];

  constructor({ problem, message, platformCode, platformSubcode }: PlatformRefusal) {
    super(`The platform refused the template: ${message}`);
    this.extra = { platformCode, platformSubcode };
    const field = (REFUSED_FIELDS as Partial<Record<string, string>>)[problem];
    this.errors = field === undefined ? [] : [{ field, code: problem, message: `${field}: ${message}` }];
  }
}

/** The field of each refusal of the platform that concerns one. */
export const REFUSED_FIELDS = {
  template_header_invalid: 'header',
  template_body_invalid: 'body.text',
  template_footer_invalid: 'footer.text',
  template_too_many_variables: 'body.text',
  template_variable_at_edge: 'body.text',
} as const;

/** The platform's hourly limit of new templates is reached; nothing was changed. */
export class TemplateCreationLimitError extends domainError({
  code: 'template_creation_limit',
  kind: 'rate_limited',
  when: 'The platform currently accepts no new templates; `message` says why.',
  remedy: 'Create the template again after `retryAfter` seconds.',
  extra: { retryAfter: { type: 'integer', description: 'seconds to wait', example: 3600 } },
}) {
  override readonly retryAfterSeconds = HOUR_SECONDS;

  /** `reason`: the platform's message. */
  constructor(reason: string) {
    super(`The platform currently accepts no new templates ("${reason}"). Try again in an hour.`);
  }
}

/** The platform's limit of edits of one template is reached; nothing was changed. */
export class TemplateEditLimitError extends domainError({
  code: 'template_edit_limit',
  kind: 'rate_limited',
  when: "The platform's daily or monthly limit on edits of this template is reached.",
  remedy: 'Edit the template again after `retryAfter` seconds.',
  extra: { retryAfter: { type: 'integer', description: 'seconds to wait', example: 86400 } },
}) {
  override readonly retryAfterSeconds = DAY_SECONDS;

  constructor() {
    super('The platform accepts one edit of an approved template per day and 10 in 30 days. Try again in a day.');
  }
}

/** The platform's hourly limit of template calls is reached; nothing was changed. */
export class TemplateCallLimitError extends domainError({
  code: 'template_call_limit',
  kind: 'rate_limited',
  when: "The platform's hourly limit on template calls is reached.",
  remedy: 'Send the request again after `retryAfter` seconds.',
  extra: { retryAfter: { type: 'integer', description: 'seconds to wait', example: 3600 } },
}) {
  override readonly retryAfterSeconds = HOUR_SECONDS;

  /** `reason`: the platform's message. */
  constructor(reason: string) {
    super(`The platform currently accepts no template calls ("${reason}"). Try again in an hour.`);
  }
}

/** The request certainly did not reach the platform. */
export class TemplatePlatformUnavailableError extends PlatformUnavailableError {
  constructor() {
    super('The messaging platform cannot be reached. Nothing was changed: it is safe to repeat the request.');
  }
}

/** The platform did not answer, so it is unknown whether the change was made. */
export class TemplateOutcomeUnknownError extends domainError({
  code: 'template_outcome_unknown',
  kind: 'unavailable',
  when: 'The platform did not answer; the change may have been applied.',
  remedy: 'Sync the templates and check the list before you repeat the request.',
}) {
  override readonly retryAfterSeconds = 60;

  constructor() {
    super(
      'The platform did not answer; the change may have been applied. Sync the templates and check the list before ' +
        'you repeat the request.',
    );
  }
}
