import { applyDecorators } from '@nestjs/common';
import { buildMessage, ValidateBy, ValidateIf, type ValidationArguments } from 'class-validator';
import { FREE_FORM_TYPES, type FreeFormType } from '../../messages/domain/message';

interface Typed {
  type?: unknown;
  interactive?: { list?: unknown } | null;
}

/** The type of a reply without `type`. */
export const DEFAULT_TYPE: FreeFormType = 'Text';
const MEDIA_TYPES: readonly FreeFormType[] = ['Image', 'Video', 'Audio', 'Document', 'Sticker'];
const TEXT_LIMIT = 4096;
const SHORT_LIMIT = 1024;

/** The type of a request; null if unknown: its fields are then not checked against it. */
function typeOfReply({ type }: Typed): FreeFormType | null {
  if (!isGiven(type)) return DEFAULT_TYPE;
  return FREE_FORM_TYPES.find((known) => known === type) ?? null;
}

/** Whether the message is a file. */
function isMediaType(type: FreeFormType | null): boolean {
  return type !== null && MEDIA_TYPES.includes(type);
}

/** A field for some types, required for some of them; null counts as absent. */
export function FieldOf(types: readonly FreeFormType[], needed: readonly FreeFormType[] = []): PropertyDecorator {
  const isNeeded = (request: object): boolean => {
    const type = typeOfReply(request);
    return type !== null && needed.includes(type);
  };
  return applyDecorators(
    ValidateIf((request: object, value: unknown) => isGiven(value) || isNeeded(request)),
    rule(
      'fitsMessageType',
      (value, request) => {
        const type = typeOfReply(request);
        return !isGiven(value) || type === null || types.includes(type);
      },
      `$property is only for messages of type ${types.join(', ')}: omit it or set type`,
    ),
  );
}

/** One of two ways to give a file: required for file messages unless `other` is present. */
export function FileField(other: string): PropertyDecorator {
  const needed = (request: object): boolean =>
    isMediaType(typeOfReply(request)) && !isGiven((request as Record<string, unknown>)[other]);
  return applyDecorators(
    ValidateIf((request: object, value: unknown) => isGiven(value) || needed(request)),
    rule('isGiven', isGiven, `A message with a file needs $property or ${other}.`),
    rule(
      'fitsMessageType',
      (value, request) => !isGiven(value) || typeOfReply(request) === null || isMediaType(typeOfReply(request)),
      `$property is only for messages of type ${MEDIA_TYPES.join(', ')}: omit it or set type`,
    ),
  );
}

/** The field cannot be combined with `other`. */
export function NotCombinedWith(other: string): PropertyDecorator {
  return rule(
    'notCombined',
    (value, request) => !isGiven(value) || !isGiven((request as Record<string, unknown>)[other]),
    `$property cannot be combined with ${other}: send one of them`,
  );
}

/** Exactly one of the three kinds; other values have their own errors. */
export function HasOneInteractive(): PropertyDecorator {
  return rule(
    'notCombined',
    (value) => {
      if (typeof value !== 'object' || value === null) return true;
      const { buttons, list, link } = value as Record<string, unknown>;
      return [buttons, list, link].filter(isGiven).length === 1;
    },
    '$property needs exactly one of buttons, list and link',
  );
}

/** Up to 4,096 characters of a text or a message with a list, or 1,024 of others. */
export function FitsReply(): PropertyDecorator {
  return rule(
    'maxLength',
    (value, request) => typeof value !== 'string' || [...value].length <= limitOf(request),
    ({ object }) => `$property must be shorter than or equal to ${limitOf(object)} characters`,
  );
}

/** One visible emoji, or empty. */
export function IsEmoji(): PropertyDecorator {
  return rule('matches', isEmoji, '$property must be one emoji, or empty to remove the reaction');
}

function limitOf(request: Typed): number {
  const type = typeOfReply(request);
  const isShort = isMediaType(type) || (type === 'Interactive' && !isGiven(request.interactive?.list));
  return isShort ? SHORT_LIMIT : TEXT_LIMIT;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isEmoji(value: unknown): boolean {
  if (value === '') return true;
  if (typeof value !== 'string' || value.length > 64) return false;
  const signs = [...new Intl.Segmenter().segment(value)];
  return signs.length === 1 && /[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3]/u.test(value);
}

function rule(
  name: string,
  holds: (value: unknown, request: object) => boolean,
  message: string | ((asked: ValidationArguments) => string),
): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value: unknown, asked?: ValidationArguments) => holds(value, asked?.object ?? {}),
      defaultMessage: buildMessage((prefix, asked) => {
        return prefix + (typeof message === 'string' ? message : message(asked!));
      }),
    },
  });
}
