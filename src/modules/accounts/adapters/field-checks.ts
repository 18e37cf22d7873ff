import { ValidateBy } from 'class-validator';
import { isAddressOrRange } from '../../../infra/http/access/client-address';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** A future time in ISO 8601 with its offset. */
export function IsTimeAhead(): PropertyDecorator {
  return ValidateBy({
    name: 'isTimeAhead',
    validator: {
      validate: (value) => typeof value === 'string' && TIME.test(value) && Date.parse(value) > Date.now(),
      defaultMessage: () => '$property must be a future time in ISO 8601, such as 2030-01-31T12:00:00Z',
    },
  });
}

/** Every item is an IPv4 or IPv6 address, or a CIDR range. */
export function AreAddressRanges(): PropertyDecorator {
  return ValidateBy({
    name: 'areAddressRanges',
    validator: {
      validate: (value) =>
        Array.isArray(value) && value.every((item) => typeof item === 'string' && isAddressOrRange(item)),
      defaultMessage: () =>
        'each item of $property must be an IP address or a CIDR range, such as 203.0.113.7 or 2001:db8::/32',
    },
  });
}
