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
import { isInstant } from '../../../infra/http/validation/instant.decorator';
import { JobNameField } from './job-name.dto';
import type { JobChange } from '../domain/bulk-jobs.service';
import type { JobTiming } from '../domain/job-timing';
import type { SendWindow } from '../domain/send-window';
import { isLocalTime, isTimeZone, momentOfLocalTime } from '../domain/wall-clock';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const WINDOW_EXAMPLE = '{"from":"09:00","until":"20:00","timeZone":"Europe/Berlin"}';
const SCHEDULED_AT = '2026-03-02T08:00:00Z';

/** A time zone of the IANA database. */
export const IsTimeZone = () =>
  ValidateBy({
    name: 'isIn',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isTimeZone(value),
      defaultMessage: () => '$property must be a name of the IANA time zone database, such as Europe/Berlin or UTC',
    },
  });

const IsOtherThanFrom = () =>
  ValidateBy({
    name: 'notCombined',
    validator: {
      validate: (value: unknown, args?: ValidationArguments) => value !== (args?.object as SendWindowDto).from,
      defaultMessage: () => '$property must not be the time of `from`; a whole day is from 00:00 until 24:00',
    },
  });

const EACH_WEEKDAY = {
  each: true,
  message: '$property must be numbers from 1 (Monday) to 7 (Sunday), such as [1,2,3,4,5]',
};

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
  @IsInt(EACH_WEEKDAY)
  @Min(1, EACH_WEEKDAY)
  @Max(7, EACH_WEEKDAY)
  days?: number[];
}

/** Requests with a schedule. */
interface Scheduled {
  scheduledAt?: string | null;
  timeZone?: string | null;
}

/** A time with its zone, or a local time beside `timeZone`; not a date alone. */
const IsScheduledAt = () =>
  ValidateBy({
    name: 'isIso8601',
    validator: {
      validate: (value: unknown, args?: ValidationArguments) => {
        if (typeof value !== 'string') return false;
        if (!isLocalTime(value)) return isInstant(value) && value.includes('T');
        return isInstant(`${value}Z`) && ((args?.object as Scheduled).timeZone ?? null) !== null;
      },
      defaultMessage: (args?: ValidationArguments) =>
        typeof args?.value === 'string' && isInstant(`${args.value}Z`)
          ? '$property is a local time: send `timeZone` too, such as Europe/Berlin, or a time with its offset, such as 2026-01-15T09:30:00+01:00'
          : '$property must be an ISO 8601 time such as 2026-01-15T09:30:00Z, or a local time such as 2026-01-15T09:30 with `timeZone`',
    },
  });

const IsBesideLocalTime = () =>
  ValidateBy({
    name: 'notCombined',
    validator: {
      validate: (_: unknown, args?: ValidationArguments) => {
        const { scheduledAt } = args?.object as Scheduled;
        return typeof scheduledAt === 'string' && !(isInstant(scheduledAt) && scheduledAt.includes('T'));
      },
      defaultMessage: () =>
        '$property is the zone of a local time in `scheduledAt`, such as 2026-01-15T09:30; remove one of the two zones, or send `scheduledAt`',
    },
  });

/** `scheduledAt` of a request. */
export const ScheduledAtField = (description: string, nullable = false) =>
  applyDecorators(
    ApiPropertyOptional({
      description: `${description} An ISO 8601 time with its offset, or a local time without one, such as 2026-03-02T09:00, in \`timeZone\`.`,
      ...{ type: String, example: SCHEDULED_AT, nullable },
    }),
    IsOptional(),
    IsScheduledAt(),
  );

/** `timeZone` of a request: the zone of a local `scheduledAt`. */
export const TimeZoneField = () =>
  applyDecorators(
    ApiPropertyOptional({
      description:
        'IANA name of the time zone of a `scheduledAt` without offset. A local time that the clock skips moves forward by ' +
        'the skipped hour; of one that it shows twice, the first counts. Responses are in UTC.',
      type: String,
      example: 'Europe/Berlin',
    }),
    IsOptional(),
    IsTimeZone(),
    IsBesideLocalTime(),
  );

/** `sendWindow` of a request. */
export const SendWindowField = (description: string, nullable = false) =>
  applyDecorators(
    ApiPropertyOptional({ description, type: SendWindowDto, nullable }),
    IsOptional(),
    IsObject(),
    ValidateNested({ message: `must be a JSON object, such as ${WINDOW_EXAMPLE}.` }),
    Type(() => SendWindowDto),
  );

/** A change of the name of a job, and of when it may send. */
export class ChangeJobDto {
  @JobNameField('Name of the job, at any time. Null: none.', true)
  name?: string | null;

  @ScheduledAtField(
    'When the job starts, up to one year ahead. Null: it starts immediately, or when it is resumed.',
    true,
  )
  scheduledAt?: string | null;

  @TimeZoneField()
  timeZone?: string;

  @SendWindowField('Hours of the day in which the job sends. Null: all.', true)
  sendWindow?: SendWindowDto | null;
}

/** The window of a request; null: none. */
export function sendWindowOf(window: SendWindowDto | null | undefined): SendWindow | null {
  if (!window) return null;
  const { from, until, timeZone, days } = window;
  return { from, until, timeZone, days: [...(days ?? EVERY_DAY)].sort() };
}

/** The timing of a request that creates a job. */
export function timingOf({ scheduledAt, timeZone, sendWindow }: Omit<ChangeJobDto, 'name'>): JobTiming {
  return { scheduledAt: scheduledAt ? momentOf(scheduledAt, timeZone) : null, sendWindow: sendWindowOf(sendWindow) };
}

function momentOf(scheduledAt: string, timeZone: string | undefined): Date {
  return timeZone ? momentOfLocalTime(scheduledAt, timeZone) : new Date(scheduledAt);
}

/** The fields that a change contains. */
export function jobChangeOf(change: ChangeJobDto): JobChange {
  const { scheduledAt, sendWindow } = timingOf(change);
  return {
    ...(change.name !== undefined && { name: change.name }),
    ...(change.scheduledAt !== undefined && { scheduledAt }),
    ...(change.sendWindow !== undefined && { sendWindow }),
  };
}
