import { wordsOf } from './header-words';

/** What a template has that a row may fill beside its values. */
export interface ExtrasWanted {
  /** Whether people without a number can get it. */
  userIds?: boolean | undefined;
  /** Whether its header shows a document. */
  fileName?: boolean | undefined;
  /** Its quick-reply buttons, each with its index among all buttons. */
  quickReplies?: readonly { index: number; label: string }[] | undefined;
  /** Whether it has a Flow button. */
  flow?: boolean | undefined;
}

/** What is known of a column that may fill an extra. */
export interface ExtrasColumn {
  /** Empty: it has none. */
  header: string;
  /** The first cells that are not blank, trimmed. */
  cells: readonly string[];
}

/** A column, and how certain its use is. */
export interface ExtraGuess<Column> {
  column: Column;
  confidence: 'high' | 'low';
}

/** The guessed columns of extras, of those that were found. */
export interface ExtraGuesses<Column> {
  userId?: ExtraGuess<Column> | undefined;
  headerMediaFileName?: ExtraGuess<Column> | undefined;
  /** By the index of the button. */
  quickReplyPayloads: Record<string, ExtraGuess<Column>>;
  flowToken?: ExtraGuess<Column> | undefined;
}

/** Shorter ones may be numbers of articles, such as AB.1234. */
const USER_ID = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{12,128}$/;
const FILE_NAME = /^[^/\\]+\.[A-Za-z0-9]{2,5}$/;
const USER_ID_HEADERS =
  keys(`userid, user id, whatsapp user id, whatsapp id, wa id, wa user id, wa_id, bsuid, business scoped user id,
  whatsapp-benutzer-id, benutzer-id, whatsapp-nutzer-id, nutzer-id, id de usuario, id de usuario de whatsapp, id utilisateur,
  id utente, id do usuario, gebruikers-id`);
const FILE_NAME_HEADERS =
  keys(`file name, document name, name of the file, name of document, pdf name, dateiname, name der datei, dokumentname,
  name des dokuments, nombre de archivo, nombre del archivo, nombre del fichero, nom de fichier, nom du fichier, nom du document, nome file,
  nome del file, nome do arquivo, nome do ficheiro, bestandsnaam, nazwa pliku`);
/** Names of the API, which a list has only for it. */
const OWN = { fileName: keys('headerMediaFileName'), flowToken: keys('flowToken, flow token') };
const PAYLOAD = 'payload';
const OWN_PAYLOAD = 'quickreplypayloads';

/** Guesses the columns of extras by header; `high` only where header and contents leave no doubt. */
export function suggestExtras<Column extends ExtrasColumn>(
  columns: readonly Column[],
  { userIds, fileName, quickReplies = [], flow }: ExtrasWanted,
): ExtraGuesses<Column> {
  const payloads = quickReplies.flatMap(({ index, label }) => {
    const guess = payloadOf(columns, index, label, quickReplies.length === 1);
    return guess ? [[String(index), guess] as const] : [];
  });
  return {
    userId: userIds ? userIdOf(columns) : undefined,
    headerMediaFileName: fileName ? fileNameOf(columns) : undefined,
    quickReplyPayloads: Object.fromEntries(payloads),
    flowToken: flow ? certain(onlyHeaded(columns, OWN.flowToken)) : undefined,
  };
}

/** By content; without any cell by header. Ids of a shop have the same header, and other contents. */
function userIdOf<Column extends ExtrasColumn>(columns: readonly Column[]): ExtraGuess<Column> | undefined {
  const isHeaded = ({ header }: Column) => USER_ID_HEADERS.includes(keyOf(header));
  const [column, ...others] = columns.filter(
    ({ cells }) => cells.length > 0 && cells.every((cell) => USER_ID.test(cell)),
  );
  if (column && others.length === 0) return { column, confidence: isHeaded(column) ? 'high' : 'low' };
  return column ? undefined : likely(only(columns.filter((one) => isHeaded(one) && one.cells.length === 0)));
}

function fileNameOf<Column extends ExtrasColumn>(columns: readonly Column[]): ExtraGuess<Column> | undefined {
  const named = columns.filter(({ cells }) => cells.every((cell) => FILE_NAME.test(cell)));
  return certain(onlyHeaded(named, OWN.fileName)) ?? likely(onlyHeaded(named, FILE_NAME_HEADERS));
}

/** "Payload" of the only button, "Payload Yes" of the button "Yes". */
function payloadOf<Column extends ExtrasColumn>(
  columns: readonly Column[],
  index: number,
  label: string,
  isOnly: boolean,
): ExtraGuess<Column> | undefined {
  const own = certain(onlyHeaded(columns, [`${OWN_PAYLOAD}${index}`]));
  const labelled = [PAYLOAD + keyOf(label), keyOf(label) + PAYLOAD].filter((key) => key !== PAYLOAD);
  return own ?? likely(onlyHeaded(columns, labelled)) ?? (isOnly ? likely(onlyHeaded(columns, [PAYLOAD])) : undefined);
}

function certain<Column>(column: Column | undefined): ExtraGuess<Column> | undefined {
  return column && { column, confidence: 'high' };
}

function likely<Column>(column: Column | undefined): ExtraGuess<Column> | undefined {
  return column && { column, confidence: 'low' };
}

function onlyHeaded<Column extends ExtrasColumn>(columns: readonly Column[], headers: readonly string[]) {
  return only(columns.filter(({ header }) => headers.includes(keyOf(header))));
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

function keys(headers: string): string[] {
  return headers.split(',').map(keyOf);
}

function keyOf(header: string): string {
  return wordsOf(header).join('');
}
