import type { RowErrorDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { Combobox } from '../../ui/combobox';
import { countriesFor } from '../calling-codes';
import { useSenders } from '../senders';

/** Whether numbers without a country code are among the errors. */
export function lacksCountry(errors: readonly RowErrorDto[], phoneColumn: number): boolean {
  return errors.some(({ code, cells }) => {
    const cell = cells?.[phoneColumn]?.trim() ?? '';
    return code === 'phone_invalid' && /^\(?0?[1-9]/.test(cell) && cell.replaceAll(/\D/g, '').length > 5;
  });
}

/** The country of numbers without a country code; empty: that of the account. */
export function CountryField({ country, onChange }: { country: string; onChange: (country: string) => void }) {
  const senders = useSenders();
  return (
    <Combobox
      label={t('Which country are numbers without a code from?')}
      placeholder={t('Country')}
      hint={
        country === ''
          ? t('Numbers such as 0151 12345678 need a country.')
          : t('Such as 0151 12345678, which are taken as numbers of this country.')
      }
      value={country === '' ? null : country}
      choices={countriesFor((senders ?? []).flatMap(({ displayPhoneNumber }) => displayPhoneNumber ?? []))}
      onChange={(region) => onChange(region ?? '')}
    />
  );
}
