import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator';
import { IsInstant } from '../../../infra/http/instant.decorator';
import type { JobTiming } from '../domain/job-timing';
import { isTimeZone, type SendWindow } from '../domain/send-window';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const SCHEDULED_AT = '2026-03-02T08:00:00Z';

const IsTimeZone = () =>
  ValidateBy({
    name: 'isIn',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isTimeZone(value),
      defaultMessage: () => '$property must be a name of the IANA time zone database, such as Europe/Berlin or UTC',
    },
  });

const IsOtherThanFrom = () =>
  ValidateBy({
    name: 'standsAlone',
    validator: {
      validate: (value: unknown, args?: ValidationArguments) => value !== (args?.object as SendWindowDto).from,
      defaultMessage: () => '$property must not be the time of `from`; a whole day is from 00:00 until 24:00',
    },
  });

/** The hours of the day in which a job sends. */
export class SendWindowDto {
  @ApiProperty({
    description: 'When the window opens, in `timeZone`.',
    pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
    example: '09:00',
  })
  @IsString()
  @Matches(/^([01]\d|2[0-3]):[0-5]\d$/, { message: '$property must be a time such as 09:00' })
  from: string;

  @ApiProperty({
    description: 'When the window closes; a time before `from` is on the next day. Midnight: 24:00.',
    pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
    example: '20:00',
  })
  @IsString()
  @Matches(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, { message: '$property must be a time such as 20:00, at most 24:00' })
  @IsOtherThanFrom()
  until: string;

  @ApiProperty({
    description: 'An IANA time zone name. On daylight saving changes, the window follows local time.',
    example: 'Europe/Berlin',
  })
  @IsTimeZone()
  timeZone: string;

  @ApiPropertyOptional({
    description: 'The weekdays on which the window opens, 1 (Monday) to 7. Default: every day.',
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: 7 },
    minItems: 1,
    maxItems: 7,
    uniqueItems: true,
    example: [1, 2, 3, 4, 5],
  })
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(7)
  @ArrayUnique()
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(7, { each: true })
  days?: number[];
}

/** `scheduledAt` of a request: a time with its zone, not a date alone. */
export const ScheduledAtField = (description: string, nullable = false) =>
  applyDecorators(
    ApiPropertyOptional({ description, type: String, format: 'date-time', example: SCHEDULED_AT, nullable }),
    IsOptional(),
    IsInstant(),
    Matches(/T/, { message: '$property must be an ISO 8601 time such as 2026-01-15T09:30:00Z' }),
  );

/** `sendWindow` of a request. */
export const SendWindowField = (description: string, nullable = false) =>
  applyDecorators(
    ApiPropertyOptional({ description, type: SendWindowDto, nullable }),
    IsOptional(),
    IsObject(),
    ValidateNested(),
    Type(() => SendWindowDto),
  );

/** A change of when a job may send. */
export class ChangeJobDto {
  @ScheduledAtField(
    'When the job starts, up to one year ahead. Null: it starts immediately, or when it is resumed.',
    true,
  )
  scheduledAt?: string | null;

  @SendWindowField('Hours of the day in which the job sends. Null: all.', true)
  sendWindow?: SendWindowDto | null;
}

/** The window of a request; null where there is none. */
export function sendWindowOf(given: SendWindowDto | null | undefined): SendWindow | null {
  if (!given) return null;
  const { from, until, timeZone, days } = given;
  return { from, until, timeZone, days: [...(days ?? EVERY_DAY)].sort() };
}

/** The timing of a request that creates a job. */
export function timingOf({ scheduledAt, sendWindow }: ChangeJobDto): JobTiming {
  return { scheduledAt: scheduledAt ? new Date(scheduledAt) : null, sendWindow: sendWindowOf(sendWindow) };
}

/** What a change names. */
export function timingChangeOf(change: ChangeJobDto): Partial<JobTiming> {
  const { scheduledAt, sendWindow } = timingOf(change);
  return {
    ...(change.scheduledAt !== undefined && { scheduledAt }),
    ...(change.sendWindow !== undefined && { sendWindow }),
  };
}
