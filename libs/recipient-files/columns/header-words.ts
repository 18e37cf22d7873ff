/** What the header of a column says about phone numbers. */
export interface HeaderMeaning {
  /** `mobile`: also WhatsApp; `contact`: "contact no."; `other`: certainly no number to send to; null: unknown. */
  kind: 'mobile' | 'phone' | 'contact' | 'other' | null;
  /** It has no word of another meaning, such as "work" in "work phone". */
  isPlain: boolean;
}

const COMPOUND = /(?:nummern?|nr|number|numero|numara)$/;
const SHORT_MOBILE = ['wa', 'hp'];
/** "Diensthandy"; it is not certain whose. */
const COMPOUND_MOBILE = 'handy';
const WITH_COUNTRY_CODE =
  /\b(?:with|incl|including|inkl|mit|con|avec|com)\s+(?:country\s+code|(?:lander)?vorwahl|prefi\w+|indicatif|codigo\s+(?:de\s+|do\s+)?pais)\b/g;

const MOBILE = wordsOf(`
  mobile mobil mobiel mobilni mobilny mobiele mobilfunk mobiltelefon mobilphone mobilephone handy smartphone natel cell cellphone
  cellular celular celulares movil moviles cellulare portable gsm whatsapp whatsap msisdn telemovel komorka komorkowy kannykka
  جوال الجوال موبايل الموبايل محمول المحمول واتساب الواتساب 手机 手机号 手机号码 手機 手機號碼 携帯 携帯電話 携帯番号 携帯電話番号
  мобильный мобильного сотовый мобільний 휴대폰 휴대전화 휴대폰번호 มือถือ मोबाइल व्हाट्सएप व्हाट्सऐप נייד
  handphone ponsel cel`);
const PHONE = wordsOf(`
  phone phones telephone telephonic telefon telefone telefono telefonos tel tlf tlfn fon fono ruf telefoon telefonu puhelin telefonszam telefoni telepon telefonni
  هاتف الهاتف تلفون التلفون تليفون 电话 电话号码 联系电话 電話 電話番号 電話號碼 телефон телефона тел τηλεφωνο 전화 전화번호 โทรศัพท์ फोन
  טלפון sdt`);
const CONTACT = wordsOf('contact contacto contato contatto kontakt');
const NUMBER = wordsOf(
  'nr no num number numbers nummer numero nomor numer numara numarasi n رقم номер 号码 番号 번호 numbre cislo szam nro नंबर संख्या',
);
const NEUTRAL = wordsOf(`
  1 de da do del della dello di du of the el la le il um a kunde kunden kundin customer customers client clients cliente clienti
  recipient recipients empfanger destinatario destinataire user member mitglied person primary main principal haupt e164 international
  intl personal privat private privato prive cep value`);
const OTHER = wordsOf(`
  fax telefax telefaxnummer faxnummer faks faksimile telecopie факс فاكس الفاكس फैक्स pager label mail email consent optin opt ok landline festnetz fijo fixe fisso fixo land country pais pays paese
  vorwahl prefix prefijo prefixo prefisso indicatif emergency notfall urgence emergencia emergenza model modell modelo modello carrier
  provider anbieter operator type typ tipo date datum fecha data status verified verifiziert brand marke einwilligung`);
/** The words of a header, without case, accents and punctuation: `firstName` is "first name". */
export function wordsOf(header: string): string[] {
  const plain = header
    .normalize('NFKC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/whats\s+app/g, 'whatsapp')
    .replace(WITH_COUNTRY_CODE, '');
  return plain.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

/** What a header says; a header that is not understood has no kind. */
export function meaningOf(header: string): HeaderMeaning {
  const words = wordsOf(header).map(wordWithoutNumber);
  const has = (list: readonly string[]) => words.some((word) => list.includes(word));
  const isPlain = words.every((word) => KNOWN.has(word));
  if (has(OTHER)) return { kind: 'other', isPlain: false };
  const isShort = words.some((_, index) => isShortMobile(words, index));
  if (isShort)
    return { kind: 'mobile', isPlain: words.every((word) => KNOWN.has(word) || SHORT_MOBILE.includes(word)) };
  if (has(MOBILE)) return { kind: 'mobile', isPlain };
  if (words.some((word) => word.endsWith(COMPOUND_MOBILE))) return { kind: 'mobile', isPlain: false };
  if (has(PHONE)) return { kind: 'phone', isPlain };
  return { kind: has(CONTACT) && has(NUMBER) && isPlain ? 'contact' : null, isPlain };
}

const KNOWN = new Set([...MOBILE, ...PHONE, ...CONTACT, ...NUMBER, ...NEUTRAL]);

/** "WA number", Indonesian "No. HP"; alone they may be a state and a company. */
function isShortMobile(words: readonly string[], index: number): boolean {
  const isNumber = (word: string | undefined) => word !== undefined && NUMBER.includes(word);
  return SHORT_MOBILE.includes(words[index]!) && (isNumber(words[index - 1]) || isNumber(words[index + 1]));
}

/** "Handynummer" is "handy". */
function wordWithoutNumber(word: string): string {
  const base = word.replace(COMPOUND, '');
  return MOBILE.includes(base) || PHONE.includes(base) ? base : word;
}
