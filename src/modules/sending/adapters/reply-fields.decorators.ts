import { applyDecorators } from '@nestjs/common';
import { buildMessage, ValidateBy, ValidateIf, type ValidationArguments } from 'class-validator';
import { FREE_FORM_TYPES, type FreeFormType } from '../../messages/domain/message';

interface Typed {
  type?: unknown;
}

/** What a message of this type is, where the request says nothing else. */
export const DEFAULT_TYPE: FreeFormType = 'Text';
const MEDIA_TYPES: readonly FreeFormType[] = ['Image', 'Video', 'Audio', 'Document', 'Sticker'];
const TEXT_LIMIT = 4096;
const CAPTION_LIMIT = 1024;

/** The type of a request; null when it names none that there is: its fields cannot be judged by it then. */
function typeOfReply({ type }: Typed): FreeFormType | null {
  if (!isGiven(type)) return DEFAULT_TYPE;
  return FREE_FORM_TYPES.find((known) => known === type) ?? null;
}

/** Whether the message is a file. */
function isMediaType(type: FreeFormType | null): boolean {
  return type !== null && MEDIA_TYPES.includes(type);
}

/** A field of messages of some types, which some of them need; null is as good as absent. */
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

/** The first of two ways to name a file: needed by messages with a file, unless `other` is there. */
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

/** The field cannot be there beside `other`. */
export function StandsAlone(other: string): PropertyDecorator {
  return rule(
    'standsAlone',
    (value, request) => !isGiven(value) || !isGiven((request as Record<string, unknown>)[other]),
    `$property cannot be combined with ${other}: send one of them`,
  );
}

/** Up to 4,096 characters of a text, or 1,024 of a caption. */
export function FitsReply(): PropertyDecorator {
  return rule(
    'maxLength',
    (value, request) => typeof value !== 'string' || [...value].length <= limitOf(request),
    ({ object }) => `$property must be shorter than or equal to ${limitOf(object)} characters`,
  );
}

/** One emoji as a person sees it, or nothing. */
export function IsEmoji(): PropertyDecorator {
  return rule('matches', isEmoji, '$property must be one emoji, or empty to remove the reaction');
}

function limitOf(request: object): number {
  return isMediaType(typeOfReply(request)) ? CAPTION_LIMIT : TEXT_LIMIT;
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
