import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { FileColumnDto } from '../../../client/generated/types.gen';
import { asMessagingError } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { type FormFields, upload } from '../../api/upload';
import { useDebounced } from '../../ui/use-debounced';
import {
  type ColumnField,
  confirmed,
  guessedMapping,
  isUncertain,
  type Mapping,
  missingFields,
  requestedColumns,
  type SourceChoice,
  sourcesOf,
  type Suggestions,
  textsOf,
  withLikely,
} from './column-mapping';
import { useDefaultCountry } from './default-country';
import { dependsOnLanguage } from './check-warnings';
import { foundHeaderRow, type ListPlace, sheetsOf } from './list-place';
import { rememberColumns, rememberedColumns } from './remembered-columns';

/** Maximum file size in bytes that is checked again at every change; a larger one when a person asks for it. */
const AUTO_CHECK_MAX_BYTES = 2_000_000;

/** A file that a person chose. */
export interface ChosenFile {
  file: File;
  /** Counts selections, as a corrected file may have the same name. */
  number: number;
  /** What was chosen for its columns with another purpose of the same family; used where the required fields are the same. */
  columns?: ChosenColumns;
  /** What was chosen for it with another purpose. */
  place?: ChosenPlace;
  /** What was chosen for the file that this one replaces; not used if it has no such sheet. */
  earlierPlace?: ChosenPlace | undefined;
}

/** The place of the list as a person chose it, and the sheets to choose from. */
interface ChosenPlace extends ListPlace {
  sheets: readonly string[];
}

interface ChosenColumns {
  mapping: Mapping;
  country: string;
  family: string;
  /** The keys of the required fields. */
  required: string;
}

/** The result of a dry run with `columns`. */
interface ColumnCheckAnswer {
  columns?: FileColumnDto[];
  suggestedColumns?: object;
  warnings: string[];
}

/** The use of a file's columns, and the dry run by it. */
export interface ColumnCheck<A> {
  /** Empty until the file has been read. */
  sources: SourceChoice[];
  mapping: Mapping;
  /** The columns that were used without a person, as guessed or remembered. */
  initial: Mapping;
  /** The mapping is that of an earlier file with the same header row. */
  isRemembered: boolean;
  missing: ColumnField[];
  /** A person has changed or confirmed a column of this file. */
  isTouched: boolean;
  /** A person has to confirm the mapping before anything is sent. */
  isUncertain: boolean;
  change: (key: string, source: string) => void;
  /** Changes the text of a field in use. */
  changeText: (key: string, text: string) => void;
  confirm: () => void;
  /** What a person chose, for the same file with another purpose; undefined while all columns are guesses. */
  chosenColumns: ChosenColumns | undefined;
  /** The sheets with rows, the first that would be read first; empty: there is one. */
  sheets: readonly string[];
  /** The one that is read; empty: the only one. */
  sheet: string;
  /** Chosen by a person or found below titles; undefined: it may be the first row. */
  headerRow: number | undefined;
  /** The header was not in the first row, or no phone numbers were found. */
  asksHeaderRow: boolean;
  /** Reads the file again, without the columns that were chosen. */
  setPlace: (place: ListPlace) => void;
  /** What a person chose of these, for the same file with another purpose. */
  chosenPlace: ChosenPlace | undefined;
  /** Cells depend on this language; undefined: none do, or the language is English. */
  cellLanguage: string | undefined;
  /** Dates and numbers are written in that language. */
  isInLanguage: boolean;
  setInLanguage: (isInLanguage: boolean) => void;
  /** ISO 3166 country of numbers without a country code; empty: that of the account. */
  country: string;
  setCountry: (country: string) => void;
  /** The country is known, or a person has chosen to have none. */
  showsCountry: boolean;
  /** The fields of the request except `dryRun`; null: columns or other fields are missing. */
  form: FormFields | null;
  /** The dry run by these columns; undefined: none yet. During a new one the previous. */
  result: A | undefined;
  isChecking: boolean;
  /** The result is that of an earlier form; `checkAgain` reads the large file again. */
  isStale: boolean;
  checkAgain: () => void;
  /** Uploaded share of the file, 0 to 1. */
  sent: number;
  error: unknown;
}

interface Choices {
  /** Of which file. */
  number: number;
  mapping: Mapping | null;
  country: string | null;
  /** The form of the latest check of a large file. */
  asked: string | null;
  place: ChosenPlace | null;
  isInLanguage: boolean;
}

const NO_SHEETS: readonly string[] = [];
const NOTHING_CHOSEN = { mapping: null, country: null, asked: null, place: null, isInLanguage: true } as const;

/**
 * Reads a file by the guess of the service, or by what a person chose for the same header row, and checks it again by each change.
 * `isReadable`: the request is complete but for what columns fill, and nobody is typing it. A refused one is repeated once it is complete again.
 * `language`: that of dates and numbers of cells, as BCP 47; undefined: English. `request`: the other fields of the request, complete with a mapping for which `isComplete`; `purpose`: for what the columns are
 * remembered; `family`: the purposes whose fields mean the same, such as the languages of a template.
 */
export function useColumnCheck<A extends ColumnCheckAnswer>({
  path,
  chosen,
  request: others,
  language,
  fields,
  purpose,
  family = purpose,
  isReadable = true,
  isComplete = () => true,
}: {
  path: string;
  chosen: ChosenFile | null;
  request: FormFields;
  language: string | undefined;
  /** The same list until the purpose changes. */
  fields: readonly ColumnField[];
  purpose: string;
  family?: string;
  isReadable?: boolean;
  isComplete?: (mapping: Mapping) => boolean;
}): ColumnCheck<A> {
  const [sent, setSent] = useState(0);
  const preset = useDefaultCountry();
  const [state, setState] = useState<Choices | null>(null);
  const number = chosen?.number ?? 0;
  const required = fields.flatMap(({ key, required: isRequired }) => (isRequired ? [key] : [])).join();
  const earlier = chosen?.columns;
  const own = state?.number === number ? state : { number, ...NOTHING_CHOSEN };
  const request = language && own.isInLanguage ? { ...others, cellLanguage: language } : others;
  const earlierPlace = chosen?.earlierPlace?.sheet === undefined ? undefined : chosen.earlierPlace;
  const requested = own.place ?? chosen?.place ?? earlierPlace;
  // The columns of another sheet or header may have other names.
  const isCarried = earlier?.family === family && earlier.required === required && own.place === null;
  const carried = isCarried ? earlier : undefined;
  const set = (changed: Partial<Choices>) => setState({ ...own, ...changed });
  const send = (form: FormFields, signal: AbortSignal) => {
    setSent(0);
    return upload<A>(path, { ...form, dryRun: 'true', file: chosen?.file }, { signal, onProgress: setSent });
  };
  // Each repetition uploads the whole file.
  const once = { staleTime: 'static', gcTime: 0, retry: false } as const;
  const guess = useQuery({
    queryKey: queryKeys.columnChecks.guess(purpose, number, fieldsOf(requested)),
    queryFn: async ({ signal }) => {
      const first = preset.first;
      const form = { ...request, columns: 'auto', ...(first && { defaultCountry: first }) };
      const read = { request, country: first, isMoved: false };
      try {
        return { ...read, answer: await send({ ...form, ...fieldsOf(requested) }, signal) };
      } catch (error) {
        if (requested !== earlierPlace || !isOfOtherFile(error)) throw error;
        return { ...read, isMoved: true, answer: await send(form, signal) };
      }
    },
    enabled: chosen !== null && isReadable && !preset.isLoading,
    ...once,
  });
  const place = guess.data?.isMoved ? undefined : requested;
  const placed = fieldsOf(place);
  const columns = guess.data?.answer.columns;
  const texts = guess.data?.answer.warnings ?? (guess.error ? [asMessagingError(guess.error).message] : []);
  const found = sheetsOf(texts);
  const sheets = found ? [found.read, ...found.others] : (place?.sheets ?? NO_SHEETS);
  const sheet = placed.sheet ?? sheets[0] ?? '';
  const headerRow = placed.headerRow ?? foundHeaderRow(texts);
  const { sources, read, guessed, remembered } = useMemo(() => {
    const all = sourcesOf(columns ?? []);
    const byService = guessedMapping((guess.data?.answer.suggestedColumns ?? {}) as Suggestions);
    return {
      sources: all,
      // The file was read by the guess of the service alone.
      read: byService,
      guessed: withLikely(byService, fields, all),
      remembered: columns ? rememberedColumns(purpose, columns, fields) : null,
    };
  }, [columns, guess.data, fields, purpose]);
  const initial = remembered ? { ...missingOf(remembered.mapping, guessed, fields), ...remembered.mapping } : guessed;
  const mapping = own.mapping ?? (carried ? { ...initial, ...within(carried.mapping, fields) } : initial);
  const guessedCountry = guess.data?.country ?? '';
  const firstCountry = remembered?.country || guessedCountry;
  const country = own.country ?? carried?.country ?? firstCountry;
  const missing = missingFields(mapping, fields);
  const formOf = (other: FormFields, by: Mapping, defaultCountry: string): FormFields => ({
    ...other,
    ...placed,
    ...(headerRow !== undefined && { headerRow: String(headerRow) }),
    columns: requestedColumns(by, fields),
    hasHeader: String(columns?.some(({ header }) => header !== null)),
    ...(defaultCountry && { defaultCountry }),
  });
  const isReady = missing.length === 0 && isComplete(mapping);
  const form = columns && isReady ? formOf(request, mapping, country) : null;
  const wanted = JSON.stringify(form);
  const isGuess =
    guess.data !== undefined && wanted === JSON.stringify(formOf(guess.data.request, read, guessedCountry));
  const isLarge = (chosen?.file.size ?? 0) > AUTO_CHECK_MAX_BYTES;
  const first = guess.data && remembered && formOf(guess.data.request, initial, firstCountry);
  const asked = !isLarge ? wanted : (own.asked ?? (first && JSON.stringify(first)));
  const typed = JSON.stringify(textsOf(mapping));
  const isTyping = useDebounced(typed) !== typed;
  const check = useQuery({
    queryKey: queryKeys.columnChecks.check(purpose, number, asked ?? null),
    queryFn: ({ signal }) => send(JSON.parse(asked!) as FormFields, signal),
    enabled: form !== null && !isGuess && Boolean(asked) && !isTyping,
    placeholderData: (before, query) => (query?.queryKey[2] === number ? before : undefined),
    ...once,
  });
  const isStale = form !== null && !isGuess && asked !== wanted;
  const guessRead = missingFields(read, fields).length === 0 ? guess.data?.answer : undefined;
  const result = form === null || check.isError ? undefined : isGuess ? guessRead : (check.data ?? guessRead);
  const decide = (decision: Pick<Choices, 'mapping' | 'country'>) => {
    const next = { mapping: decision.mapping ?? mapping, country: decision.country ?? country };
    if (columns) rememberColumns(purpose, columns, next);
  };
  const choose = (next: Mapping) => {
    set({ mapping: next });
    decide({ mapping: next, country: null });
  };
  return {
    ...{ sources, mapping, initial, missing, country, form, result, sent, isStale },
    ...{ sheets, sheet, headerRow, chosenPlace: place },
    asksHeaderRow: headerRow !== undefined || (columns !== undefined && !read.phone),
    cellLanguage: language && dependsOnLanguage(texts) ? language : undefined,
    isInLanguage: own.isInLanguage,
    setInLanguage: (isInLanguage) => set({ isInLanguage }),
    setPlace: (next) => set({ mapping: null, asked: null, place: { ...next, sheets } }),
    isRemembered: remembered !== null && own.mapping === null && !carried,
    isTouched: own.mapping !== null || carried !== undefined,
    chosenColumns: own.mapping || carried || remembered ? { mapping, country, family, required } : undefined,
    isUncertain: isUncertain(mapping),
    showsCountry: country !== '' || own.country !== null,
    change: (key, source) => {
      const text = mapping[key]?.text;
      choose({ ...mapping, [key]: source === '' ? undefined : { source, by: 'person', ...(text && { text }) } });
    },
    changeText: (key, text) => choose({ ...mapping, [key]: { ...mapping[key]!, text } }),
    confirm: () => {
      const next = confirmed(mapping);
      set({ mapping: next, asked: wanted });
      decide({ mapping: next, country: null });
    },
    setCountry: (next) => {
      set({ country: next });
      preset.remember(next);
      decide({ mapping: null, country: next });
    },
    isChecking: guess.isFetching || check.isFetching || (form !== null && isTyping),
    checkAgain: () => {
      set({ asked: wanted });
      if (guess.isError) void guess.refetch();
      else if (asked === wanted) void check.refetch();
    },
    error: guess.isFetching || check.isFetching ? null : (guess.error ?? (isGuess ? null : check.error)),
  };
}

/** The fields of the request; undefined: none. */
function fieldsOf(place: ChosenPlace | undefined): ListPlace {
  const { sheet, headerRow } = place ?? {};
  return { ...(sheet !== undefined && { sheet }), ...(headerRow !== undefined && { headerRow }) };
}

/** Whether a file was refused because it has no such sheet, or nothing in the row of the header. */
function isOfOtherFile(error: unknown): boolean {
  return asMessagingError(error).errors.some(({ field }) => field === 'sheet' || field === 'headerRow');
}

/** The mapping without fields that this purpose does not have. */
function within(mapping: Mapping, fields: readonly ColumnField[]): Mapping {
  const kept = fields.filter(({ key }) => key in mapping);
  return Object.fromEntries(kept.map(({ key }) => [key, mapping[key]]));
}

/** The guesses for the required fields that the remembered mapping does not have. */
function missingOf(remembered: Mapping, guessed: Mapping, fields: readonly ColumnField[]): Mapping {
  return Object.fromEntries(missingFields(remembered, fields).map(({ key }) => [key, guessed[key]]));
}
