import { DomainError, type FieldFault } from '../../../kernel/domain-error';
import type { TemplateStatus } from './template';
import type { PlatformRefusal } from './template-publisher.port';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/** The template breaks rules of the platform; nothing was submitted. */
export class InvalidTemplateError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'validation_failed';
  override readonly faults: readonly FieldFault[];

  constructor(faults: readonly FieldFault[]) {
    super(faults[0]?.message ?? 'The template breaks a rule of the platform.');
    this.faults = faults.slice(0, 100);
  }
}

/** The name is in use in this language, or was a short time ago. */
export class TemplateNameTakenError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'template_name_taken';

  constructor(name: string, languageCode: string, why: 'exists' | 'blocked') {
    super(
      why === 'exists'
        ? `There is a template "${name}" in ${languageCode}. Change that one, or take another name.`
        : `A template "${name}" in ${languageCode} was deleted a short time ago, and the platform keeps its name for 30 days. Take another name.`,
    );
  }
}

/** What is asked for cannot be done to a template that stands like this one. */
export class InvalidTemplateStateError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'invalid_template_state';
  override readonly extra: { templateStatus: TemplateStatus };

  constructor(templateStatus: TemplateStatus, message: string) {
    super(message);
    this.extra = { templateStatus };
  }
}

/** The platform refused what was asked for; `errors` names the field where that is known. */
export class TemplateRefusedError extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'template_refused';
  override readonly extra: { platformCode: number; platformSubcode: number | null };
  override readonly faults: readonly FieldFault[];

  constructor({ problem, message, platformCode, platformSubcode }: PlatformRefusal) {
    super(`The platform refused the template: ${message}`);
    this.extra = { platformCode, platformSubcode };
    const field = FIELDS[problem];
    this.faults = field === undefined ? [] : [{ field, code: problem, message: `${field}: ${message}` }];
  }
}

/** The field that a refusal of the platform speaks of. */
const FIELDS: Readonly<Record<string, string>> = {
  template_header_invalid: 'header',
  template_body_invalid: 'body.text',
  template_footer_invalid: 'footer.text',
  template_too_many_variables: 'body.text',
  template_variable_at_edge: 'body.text',
};

/** A limit of the platform for writing templates is reached; nothing was done. */
export class TemplateLimitError extends DomainError {
  readonly kind = 'rate_limited';
  readonly code: 'template_creation_limit' | 'template_edit_limit' | 'template_call_limit';
  override readonly retryAfterSeconds: number;

  constructor(limit: 'creation' | 'edit' | 'call') {
    super(LIMITS[limit].message);
    this.code = `template_${limit}_limit`;
    this.retryAfterSeconds = LIMITS[limit].seconds;
  }
}

const LIMITS = {
  creation: {
    seconds: HOUR_SECONDS,
    message: 'The platform takes 100 new templates an hour, and they are used up. Create this one an hour later.',
  },
  edit: {
    seconds: DAY_SECONDS,
    message: 'The platform takes one edit of an approved template a day, 10 in 30 days. Edit it a day later.',
  },
  call: {
    seconds: HOUR_SECONDS,
    message: 'The calls to the platform that manage templates are used up for this hour. Try again an hour later.',
  },
} as const;

/** The platform was certainly not reached. */
export class TemplatePlatformUnavailableError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform_unavailable';
  override readonly retryAfterSeconds = 5;

  constructor() {
    super('The messaging platform cannot be reached. Nothing was changed: it is safe to send the same request again.');
  }
}

/** The platform gave no answer, so nobody knows whether it did what was asked for. */
export class TemplateOutcomeUnknownError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'template_outcome_unknown';
  override readonly retryAfterSeconds = 60;

  constructor() {
    super(
      'The platform gave no answer, so it may have been done. Sync the templates and look at the list before you repeat it.',
    );
  }
}
