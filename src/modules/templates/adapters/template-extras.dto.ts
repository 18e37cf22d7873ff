import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { CoordinatesDto } from '../../../infra/http/coordinates.dto';
import type { HeaderLocation } from '../domain/template-extras';

const LONGEST_PAYLOAD = 256;
/** What is said of an element of `templateParameters` that is no object. */
export const PARAMETER_FORM = 'must be an object such as {"text": "Mira"}.';

/** A template has at most ten buttons. */
const BUTTON_INDEX = /^\d$/;
const ONE_LINE = /^[^\p{Cc}\p{Cs}]+$/u;

/** The place of a location header; the platform needs all four fields. */
export class HeaderLocationDto extends CoordinatesDto implements HeaderLocation {
  @ApiProperty({ description: 'Name of the place.', example: 'Parcel shop', minLength: 1, maxLength: 1000 })
  @IsString()
  @IsNotEmpty()
  @MaxLength(1000)
  @Matches(ONE_LINE, { message: '$property must be one line without control characters' })
  name: string;

  @ApiProperty({ description: 'Its address.', example: 'Alexanderplatz 1, Berlin', minLength: 1, maxLength: 1000 })
  @IsString()
  @IsNotEmpty()
  @MaxLength(1000)
  @Matches(ONE_LINE, { message: '$property must be one line without control characters' })
  address: string;
}

/** `headerLocation` of a request that sends a template. */
export const HeaderLocationField = () =>
  applyDecorators(
    ApiPropertyOptional({ description: 'The place, for templates with a location header.', type: HeaderLocationDto }),
    IsOptional(),
    IsObject(),
    ValidateNested(),
    Type(() => HeaderLocationDto),
  );

/** `quickReplyPayloads` of a request that sends a template. */
export const QuickReplyPayloadsField = () =>
  applyDecorators(
    ApiPropertyOptional({
      description: `Payloads returned as \`choice.id\` of the message when the person taps a quick-reply button; default: the label of the button. The key is the index of the button in \`buttons\` of the template, from "0"; each value is one line of 1 to ${LONGEST_PAYLOAD} characters.`,
      type: 'object',
      additionalProperties: { type: 'string', minLength: 1, maxLength: LONGEST_PAYLOAD },
      example: { '0': 'confirm-4711', '1': 'cancel-4711' },
    }),
    IsOptional(),
    IsObject(),
    ValidateBy({
      name: 'matches',
      validator: {
        validate: (value) => isPayloads(value),
        defaultMessage: () =>
          `$property must name buttons by their index, "0" to "9", each with one line of 1 to ${LONGEST_PAYLOAD} characters`,
      },
    }),
  );

function isPayloads(value: unknown): boolean {
  return Object.entries(value ?? {}).every(
    ([index, payload]) =>
      BUTTON_INDEX.test(index) &&
      typeof payload === 'string' &&
      payload.length <= LONGEST_PAYLOAD &&
      payload.trim() !== '' &&
      ONE_LINE.test(payload),
  );
}
