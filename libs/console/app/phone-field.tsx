import type { ComponentProps, ReactNode } from 'react';
import { phoneDigits } from '../../client/phone-digits';
import { rich, t } from '../language/translate';
import { Input } from '../ui/field';
import { PhoneNumber } from '../ui/phone-number';
import { Empty } from '../ui/states';
import { SuggestInput } from '../ui/suggest-input';
import { countryName, countryOf, isNational, withCallingCode } from './calling-codes';
import { CountryField } from './columns/country-field';
import { type NumberCountry, useNumberCountry } from './columns/default-country';
import { useContactSuggestions } from './contact-suggestions';

/** Parts of a number are not searched. */
const MIN_SEARCHED_DIGITS = 7;

/** A field for a phone number, which is read with `home` if it lacks a country code: `withCallingCode(value, home.country)`. */
export function PhoneField({
  value,
  home,
  error,
  onChange,
}: {
  value: string;
  home: NumberCountry;
  /** What is wrong with the number as it is read; a missing country comes first. */
  error?: ReactNode;
  onChange: (value: string) => void;
}) {
  return (
    <>
      <Input
        {...textsOf(value, home, error)}
        type="tel"
        inputMode="tel"
        autoComplete="off"
        placeholder="+49 151 12345678"
        dir="ltr"
        value={value}
        onChange={onChange}
      />
      {isNational(value) && <CountryField country={home.country} onChange={home.choose} />}
    </>
  );
}

/** The same with suggestions of contacts by name; choosing one enters their number. */
export function RecipientField({ value, home, error, onChange }: ComponentProps<typeof PhoneField>) {
  const { suggestions, isName, problem } = useContactSuggestions(value);
  return (
    <>
      <SuggestInput
        {...textsOf(value, home, isName ? problem : error)}
        autoComplete="off"
        placeholder={t('Name or number')}
        dir="auto"
        value={value}
        suggestions={suggestions}
        onChange={onChange}
      />
      {isNational(value) && <CountryField country={home.country} onChange={home.choose} />}
    </>
  );
}

function textsOf(value: string, home: NumberCountry, error: ReactNode) {
  const number = withCallingCode(value, home.country);
  return {
    label: t('Phone number'),
    hint: readAs(value, number) ?? countryOf(value) ?? howToWrite(home.country),
    error: error && isNational(number) ? !home.isLoading && countryMissing() : error,
  };
}

/** A phone number to search for, as typed. */
export interface SearchedPhone {
  text: string;
  /** With the country code, as far as it is known; null: there is nothing to search for. */
  number: string | null;
  home: NumberCountry;
}

/** The whole number in the text of a search field; without a country code, one of the country of the account or of the person's choice. */
export function useSearchedPhone(text: string): SearchedPhone {
  const home = useNumberCountry();
  const read = withCallingCode(text, home.country);
  const isReadable = isWhole(read) && !(isNational(read) && home.country === '');
  return { text, number: isReadable ? read : null, home };
}

/** Below a search field: how the number is read, or what to do, and the country of one without a country code. */
export function SearchedPhoneNote({
  searched: { text, number, home },
  isRefused = false,
  incomplete = t('Write the whole phone number: names and parts of a number are not searched here.'),
}: {
  searched: SearchedPhone;
  /** The service cannot read the number. */
  isRefused?: boolean;
  /** What is said of a text that is no whole number. */
  incomplete?: string;
}) {
  if (text === '' || (isNational(text) && home.isLoading)) return null;
  const note = isRefused
    ? t('Enter the whole number with its country code, such as +49 151 12345678.')
    : number !== null
      ? readAs(text, number)
      : isWhole(text)
        ? countryMissing()
        : incomplete;
  return (
    <>
      {note && (
        <p className="hint" role="status">
          {note}
        </p>
      )}
      {isNational(text) && isWhole(text) && (
        <div className="row">
          <CountryField country={home.country} onChange={home.choose} />
        </div>
      )}
    </>
  );
}

/** In place of a list while its search has no whole number. */
export function PhoneIncomplete() {
  return <Empty title={t('The phone number is not complete')} icon="search" />;
}

function isWhole(text: string): boolean {
  return (phoneDigits(text)?.length ?? 0) >= MIN_SEARCHED_DIGITS;
}

function readAs(text: string, number: string): ReactNode {
  return number === text ? undefined : rich('Read as {number}.', { number: <PhoneNumber value={number} /> });
}

function countryMissing(): string {
  return t('Write it with its country code, such as 4915112345678, or choose the country of the numbers.');
}

function howToWrite(country: string): string {
  if (country === '') return t('Include the country code, such as +49.');
  return t('With its country code, such as +49, or without it for the country {country}.', {
    country: countryName(country),
  });
}
