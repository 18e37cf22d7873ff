import { refusalsOfMessages } from '../../../infra/http/errors/platform-problems';
import type { ErrorClass } from '../../../kernel/domain-error';
import { MessageRejectedError } from '../domain/sending.errors';

const { declaration, prototype } = MessageRejectedError;
const codes = refusalsOfMessages().filter((code) => code !== declaration.code);

/** The refusals of a single message for the documentation of a route, with every code of one. */
export const REFUSED_MESSAGE: ErrorClass = {
  prototype,
  declaration: {
    ...declaration,
    when: `${declaration.when} Refusals with a code of their own: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
  },
};
