import { ValidateBy } from 'class-validator';

const INSTANT = /^(\d{4})-(\d{2})-(\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** An ISO 8601 date, or time with a time zone; a date means its start in UTC. */
export function IsInstant(): PropertyDecorator {
  return ValidateBy({
    name: 'isIso8601',
    validator: {
      validate: isInstant,
      defaultMessage: () => '$property must be an ISO 8601 time such as 2026-01-15T09:30:00Z',
    },
  });
}

/** Whether `value` is such a date or time. */
export function isInstant(value: unknown): value is string {
  const parts = typeof value === 'string' ? INSTANT.exec(value) : null;
  if (!parts || Number.isNaN(Date.parse(parts[0]))) return false;
  // Date.parse turns February 30th into March 2nd.
  const [year, month, day] = parts.slice(1, 4).map(Number) as [number, number, number];
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
