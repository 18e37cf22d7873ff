import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches, ValidateBy, ValidateIf, type ValidationArguments } from 'class-validator';
import { USER_ID, USER_ID_LENGTH } from '../../../kernel/user-id';

/** OpenAPI properties of a user id. */
export const USER_ID_PROPERTY = {
  type: String,
  nullable: true,
  maxLength: USER_ID_LENGTH,
  pattern: USER_ID.source,
  example: 'US.13491208655302741918',
} as const;

/** Requires the field unless `other` is given. The validators after it apply only to a given value. */
export function RequiredUnless(other: string): PropertyDecorator {
  return applyDecorators(
    ValidateIf((object: Record<string, unknown>, value: unknown) => isGiven(value) || !isGiven(object[other])),
    ValidateBy({
      name: 'isGiven',
      validator: {
        validate: isGiven,
        defaultMessage: () => `$property is required unless ${other} is given.`,
      },
    }),
  );
}

/** The form of a user id of the platform. */
export function IsUserId(): PropertyDecorator {
  return Matches(USER_ID, {
    message: '$property must be a user id of the platform, such as US.13491208655302741918',
  });
}

/** The optional field of a request that identifies the recipient by user id instead of by the field `phone`. */
export function UserIdInsteadOf(phone: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      ...USER_ID_PROPERTY,
      description: `The platform's id of the person for your business, as in \`userId\` of events and conversations: instead of \`${phone}\`.`,
    }),
    IsOptional(),
    IsUserId(),
    ValidateBy({
      name: 'isAlone',
      validator: {
        validate: (_: unknown, given?: ValidationArguments) =>
          !isGiven((given?.object as Record<string, unknown>)[phone]),
        defaultMessage: () => `Send either ${phone} or $property, not both.`,
      },
    }),
  );
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
