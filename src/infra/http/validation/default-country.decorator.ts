import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { getCountries } from 'libphonenumber-js/max';

/** Documentation of a default country. */
export const DEFAULT_COUNTRY = {
  description: 'ISO 3166 country of phone numbers without a country code.',
  type: String,
  example: 'DE',
};

/** `defaultCountry` of a request. */
export const DefaultCountryField = (options: ApiPropertyOptions = {}) =>
  applyDecorators(
    ApiPropertyOptional({ ...DEFAULT_COUNTRY, ...options }),
    IsOptional(),
    IsIn(getCountries(), { message: 'defaultCountry must be an ISO 3166 code of two capital letters, such as DE' }),
  );

/** `defaultCountry` of one import or list, instead of that of the account. */
export const ImportCountryField = () =>
  DefaultCountryField({
    description:
      `${DEFAULT_COUNTRY.description} Default: that of the account (\`PATCH /me\`). Given here, it also decides digits without \`+\` or \`00\` ` +
      'that are valid as an international number and as a mobile number of the country, such as 15123456789 in DE; `ambiguous_numbers` in `warnings` counts them.',
  });
