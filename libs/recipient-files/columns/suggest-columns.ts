import { PhoneNumbers } from '../../phone-numbers/phone-numbers';
import { columnName } from '../rows/row-messages';
import { isDigits, isHeader, isWebAddress } from './cell-contents';
import { type HeaderMeaning, meaningOf, wordsOf } from './header-words';
import { type ExtraGuess, suggestExtras, type ExtrasWanted } from './suggest-extras';
import { titleRows } from './title-rows';

/** A guessed column: `source` is its header, or its letters where no header identifies it; null with `none`. */
export interface SuggestedColumn {
  source: string | null;
  confidence: 'high' | 'low' | 'none';
}

/** Guessed columns; a person confirms them before anything is sent. */
export interface SuggestedColumns {
  phone: SuggestedColumn;
  /** One for each value, in order. */
  values: SuggestedColumn[];
  name?: SuggestedColumn;
  headerMediaUrl?: SuggestedColumn;
  reference?: SuggestedColumn;
  /** Only if it was found, as those below. */
  userId?: SuggestedColumn;
  headerMediaFileName?: SuggestedColumn;
  /** By the index of the button. */
  quickReplyPayloads?: Record<string, SuggestedColumn>;
  flowToken?: SuggestedColumn;
}

/** What the columns of a file are guessed for. */
export interface ColumnsWanted extends ExtrasWanted {
  header: 'auto' | 'present' | 'absent';
  /** For each value its title, and the name of its placeholder if it has one. */
  values: { title: string; name: string | null }[];
  /** Whether people have names of their own. */
  names?: boolean | undefined;
  /** Whether the header of the message shows a file. */
  media: boolean;
  defaultCountry?: string | undefined;
}

/** What is known of a column; what is said of its cells holds for nearly all that are not blank, and needs one. */
interface Column {
  index: number;
  /** Empty: it has none. */
  header: string;
  /** Not blank, trimmed. */
  cells: readonly string[];
  meaning: HeaderMeaning;
  isMostlyBlank: boolean;
  /** No cell is filled. */
  isFree: boolean;
  /** At least half of the cells: lists have invalid numbers. */
  looksLikePhones: boolean;
  hasPhones: boolean;
  /** With + or 00. */
  hasInternationalPhones: boolean;
  /** With the prefix of a dialled number, or complete without a default country; otherwise they may be ids. */
  hasDialledPhones: boolean;
  hasWebAddresses: boolean;
}

type Guess = ExtraGuess<Column>;

const INTERNATIONAL = /^\s*(?:\+|00)/;
const DIALLED = /^[+(]?0|^\+/;
const MOST_CELLS = 0.9;
const HALF = 0.5;
const NUMBERED = ['value', 'wert', 'valor', 'valeur', 'parameter', 'param', 'placeholder', 'platzhalter', 'variable'];
const MEDIA_HEADERS = ['headermediaurl', 'mediaurl'];
const REFERENCE_HEADERS = ['reference', 'referenz', 'referencia', 'riferimento', 'referentie'];
const FIRST_NAMES = 'firstname vorname nombre prenom nome givenname forename fname imie voornaam firstnames';
const LAST_NAMES =
  'lastname nachname apellido apellidos nomdefamille cognome sobrenome surname familyname nazwisko achternaam';
const FULL_NAMES = 'name fullname customername kundenname nombrecompleto nomecompleto';
/** Headers and placeholders of one group mean the same. */
const SAME_MEANING = [
  FIRST_NAMES,
  LAST_NAMES,
  FULL_NAMES,
  'ordernumber orderno orderid order bestellnummer bestellnr auftragsnummer pedido numerodepedido numerodecommande commande ordine',
  'date datum fecha data',
  'time uhrzeit zeit hora heure ora',
  'city ort stadt ciudad ville citta cidade',
  'amount betrag summe importe montant importo valor total',
  'code coupon couponcode gutschein gutscheincode codigo',
].map((group) => group.split(' '));

/**
 * Guesses the columns from the first rows of a file, of which titles above a header are left out. `high` is given only where header or content leave no doubt: a wrong `high` is a
 * defect, `none` is not.
 */
export function suggestColumns(all: readonly (readonly string[])[], wanted: ColumnsWanted): SuggestedColumns {
  const rows = wanted.header === 'auto' ? all.slice(titleRows(all)) : all;
  const hasHeader = wanted.header === 'present' || (wanted.header === 'auto' && isHeader(rows[0] ?? []));
  const columns = columnsOf(hasHeader ? rows[0]! : [], hasHeader ? rows.slice(1) : rows, wanted.defaultCountry);
  const phone = phoneOf(columns);
  const values = wanted.values.map((value, index) => valueOf(value, index, columns));
  const name = wanted.names ? nameOf(columns) : undefined;
  const media = wanted.media ? only(columns.filter(isMedia)) : undefined;
  const reference = only(columns.filter(({ header }) => REFERENCE_HEADERS.includes(keyOf(header))));
  const taken = [phone, ...values].map((guess) => guess?.column);
  const free = columns.filter((column) => !taken.includes(column) && column !== media && column !== reference);
  const extras = suggestExtras(free, wanted);
  const payloads = Object.entries(extras.quickReplyPayloads);
  const ofExtras = [extras.userId, extras.headerMediaFileName, extras.flowToken, ...payloads.map(([, guess]) => guess)];
  const rest = free.filter(
    (column) => column.meaning.kind === null && !ofExtras.some((guess) => guess?.column === column),
  );
  // Columns in the order of the values are likely, but only their number supports it.
  const inOrder = rest.length === values.filter((value) => value === undefined).length ? rest : [];
  const suggest = (column: Column | undefined, confidence: 'high' | 'low' = 'low'): SuggestedColumn =>
    column === undefined ? { source: null, confidence: 'none' } : { source: sourceOf(column, columns), confidence };
  const found = (guess: Guess) => suggest(guess.column, guess.confidence);
  return {
    phone: suggest(phone?.column, phone?.confidence),
    values: values.map((value) => (value ? suggest(value.column, value.confidence) : suggest(inOrder.shift()))),
    ...(wanted.names && { name: suggest(name?.column, name?.confidence) }),
    ...(media && { headerMediaUrl: suggest(media, MEDIA_HEADERS.includes(keyOf(media.header)) ? 'high' : 'low') }),
    ...(reference && !taken.includes(reference) && { reference: suggest(reference) }),
    ...(extras.userId && { userId: found(extras.userId) }),
    ...(extras.headerMediaFileName && { headerMediaFileName: found(extras.headerMediaFileName) }),
    ...(payloads.length > 0 && {
      quickReplyPayloads: Object.fromEntries(payloads.map(([index, guess]) => [index, found(guess)])),
    }),
    ...(extras.flowToken && { flowToken: found(extras.flowToken) }),
  };
}

function columnsOf(headers: readonly string[], rows: readonly (readonly string[])[], country?: string): Column[] {
  const phones = new PhoneNumbers(country);
  const complete = new PhoneNumbers();
  const width = Math.max(headers.length, ...rows.map((row) => row.length));
  return Array.from({ length: width }, (_, index) => {
    const header = headers[index]?.trim() ?? '';
    const cells = rows.map((row) => row[index]?.trim() ?? '').filter(Boolean);
    const most = (test: (cell: string) => boolean, share = MOST_CELLS) =>
      cells.length > 0 && cells.filter(test).length >= cells.length * share;
    return {
      index,
      header,
      cells,
      meaning: meaningOf(header),
      isMostlyBlank: cells.length < rows.length * HALF,
      isFree: cells.length === 0,
      looksLikePhones: most(isDigits, HALF),
      hasPhones: most((cell) => isDigits(cell) && phones.read(cell) !== undefined),
      hasInternationalPhones: most((cell) => INTERNATIONAL.test(cell) && phones.read(cell) !== undefined),
      hasDialledPhones: most((cell) => DIALLED.test(cell) || complete.read(cell) !== undefined),
      hasWebAddresses: most(isWebAddress),
    };
  });
}

/** By header if one says so and its content does not contradict, else by content. */
function phoneOf(columns: readonly Column[]): Guess | undefined {
  const headed = columns.filter(({ isFree, looksLikePhones }) => isFree || looksLikePhones);
  const ofKind = (kind: HeaderMeaning['kind']) => headed.filter(({ meaning }) => meaning.kind === kind);
  const mobile = ofKind('mobile').sort((a, b) => Number(b.meaning.isPlain) - Number(a.meaning.isPlain));
  const phone = ofKind('phone').sort((a, b) => Number(b.meaning.isPlain) - Number(a.meaning.isPlain));
  const candidates = mobile.length > 0 ? mobile : phone;
  const [first] = candidates;
  if (first) {
    const isClear = candidates.length === 1 && first.meaning.isPlain && !first.isMostlyBlank;
    return { column: first, confidence: isClear ? 'high' : 'low' };
  }
  const byContent = columns.filter(({ hasPhones, meaning }) => hasPhones && meaning.kind !== 'other');
  const column =
    byContent.find(({ hasInternationalPhones }) => hasInternationalPhones) ??
    byContent[0] ??
    ofKind('contact')[0] ??
    columns.find(({ meaning }) => isPhone(meaning));
  if (!column) return undefined;
  const isOnlyOne = column.hasPhones && columns.filter(({ looksLikePhones }) => looksLikePhones).length === 1;
  const isNamed = column.hasInternationalPhones || (column.meaning.kind === 'contact' && column.hasDialledPhones);
  return { column, confidence: isOnlyOne && isNamed && column.meaning.isPlain ? 'high' : 'low' };
}

function isPhone({ kind }: HeaderMeaning): boolean {
  return kind === 'mobile' || kind === 'phone';
}

/** By header alone; beside a column of first or last names a name may be a part of one. */
function nameOf(columns: readonly Column[]): Guess | undefined {
  const headed = (names: string) => columns.filter(({ header }) => names.split(' ').includes(keyOf(header)));
  const column = only(headed(FULL_NAMES));
  const hasParts = headed(`${FIRST_NAMES} ${LAST_NAMES}`).length > 0;
  return column && { column, confidence: hasParts ? 'low' : 'high' };
}

/** By header alone: of the same name or title, or, with less confidence, of the same meaning. */
function valueOf(value: ColumnsWanted['values'][number], index: number, columns: readonly Column[]): Guess | undefined {
  const headed = columns.filter(({ header }) => header !== '');
  const title = keyOf(value.title);
  const name = value.name === null ? undefined : keyOf(value.name);
  const equal = headed.filter(({ header }) => [title, name].includes(keyOf(header)) || isNumbered(header, index + 1));
  if (equal.length > 0) return { column: equal[0]!, confidence: equal.length === 1 ? 'high' : 'low' };
  const group = SAME_MEANING.find((words) => name !== undefined && words.includes(name));
  const alike = headed.find(({ header }) => group?.includes(keyOf(header)));
  return alike && { column: alike, confidence: 'low' };
}

/** `{{2}}`, "Value 2", "Platzhalter 2". */
function isNumbered(header: string, number: number): boolean {
  if (header === `{{${number}}}`) return true;
  const [word, digits, ...more] = wordsOf(header);
  return more.length === 0 && digits === String(number) && NUMBERED.includes(word ?? '');
}

function isMedia({ hasWebAddresses, isFree, header }: Column): boolean {
  return hasWebAddresses || (isFree && MEDIA_HEADERS.includes(keyOf(header)));
}

/** The header if it identifies the column, else its letters. */
function sourceOf({ header, index }: Column, columns: readonly Column[]): string {
  const isUnique = columns.filter((other) => other.header.toLowerCase() === header.toLowerCase()).length === 1;
  return header !== '' && isUnique ? header : columnName(index);
}

function keyOf(text: string): string {
  return wordsOf(text).join('');
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}
