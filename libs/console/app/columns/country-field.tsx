import type { RowErrorDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { Combobox } from '../../ui/combobox';
import { COUNTRIES } from '../calling-codes';

/** Whether numbers without a country code are among the errors. */
export function lacksCountry(errors: readonly RowErrorDto[], phoneColumn: number): boolean {
  return errors.some(({ code, cells }) => {
    const cell = cells?.[phoneColumn]?.trim() ?? '';
    return code === 'phone_invalid' && /^\(?0?[1-9]/.test(cell) && cell.replaceAll(/\D/g, '').length > 5;
  });
}

/** The country of numbers without a country code; empty: that of the account. */
export function CountryField({ country, onChange }: { country: string; onChange: (country: string) => void }) {
  return (
    <Combobox
      label={t('Which country are numbers without a code from?')}
      placeholder={t('Country')}
      hint={
        country === ''
          ? t('Such as 0151 12345678, which can be sent once the country is known.')
          : t('Such as 0151 12345678, which are taken as numbers of this country.')
      }
      value={country === '' ? null : country}
      choices={COUNTRIES}
      onChange={(region) => onChange(region ?? '')}
    />
  );
}
