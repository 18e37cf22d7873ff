import { type ColumnsWanted, suggestColumns } from './suggest-columns';

const WANTED: ColumnsWanted = { header: 'auto', values: [], media: false };

/** Header rows, `|` between the cells, with the 0-based column of the phone number; null: nobody can tell. */
const CORPUS: [string, number | null][] = [
  ['Phone', 0],
  ['Name|Phone|Order', 1],
  ['Handy|Vorname|Bestellnummer', 0],
  ['Kundennr|Vorname|Nachname|Handynummer|PLZ|Ort', 3],
  ['Anrede|Name|Telefon|E-Mail', 2],
  ['Nachname|Vorname|Telefon|Mobil|Fax', 3],
  ['Firma|Ansprechpartner|Telefon-Nr.|Telefax', 2],
  ['Mitglied|Mobiltelefon|Beitrag', 1],
  ['ID|Rufnummer|Datum', 1],
  ['Kunde|Mobilfunknummer|Land', 1],
  ['Kunden-Nr.|Name|Handy privat|Handy Arbeit', 2],
  ['Name|Festnetz|Mobilnummer', 2],
  ['Name|Telefon 1|Telefon 2', 1],
  ['Vorname|Tel.|Termin', 1],
  ['First Name|Last Name|Mobile Phone|Email', 2],
  ['first_name|phone_number|order_id', 1],
  ['customerName|mobileNumber|invoiceUrl', 1],
  ['Email|Cell|Zip', 1],
  ['Customer|WhatsApp Number|Coupon', 1],
  ['WA number|Name', 0],
  ['Name|WhatsApp|Phone', 1],
  ['Contact No.|Student Name|Fees Due', 0],
  ['Name|Home Phone|Work Phone', 1],
  ['Name|Cell Phone (with country code)|City', 1],
  ['Name|Phone Model|Mobile', 2],
  ['Name|Mobile Consent|Mobile', 2],
  ['Name|Emergency Contact Phone|Phone', 2],
  ['Patient|Primary Phone|Appointment Date', 1],
  ['msisdn;name'.replace(';', '|'), 0],
  ['Member ID|Tel No|Expiry', 1],
  ['Phone Number|Text', 0],
  ['Recipient|Recipient phone|Amount', 1],
  ['Nombre|Teléfono|Pedido', 1],
  ['Nombre|Apellidos|Móvil|Correo', 2],
  ['Cliente|Celular|Ciudad', 1],
  ['Nombre|Número de teléfono|Fecha', 1],
  ['Nombre|Teléfono fijo|Teléfono móvil', 2],
  ['RUT|Nombre|Fono', 2],
  ['Nome|Telefone|Pedido', 1],
  ['Nome|Celular|Valor', 1],
  ['Nome completo|Telemóvel|Localidade', 1],
  ['Nome|Cognome|Cellulare|Città', 2],
  ['Cliente|Telefono|Importo', 1],
  ['Prénom|Nom|Téléphone|Commande', 2],
  ['Prénom|Portable|Fixe', 1],
  ['Nom|Numéro de téléphone|Ville', 1],
  ['Nom|Tél.|Montant', 1],
  ['Nom|N° de mobile|Date', 1],
  ['Voornaam|Mobiel|Stad', 1],
  ['Naam|Telefoonnummer|Datum', 1],
  ['Imię|Nazwisko|Telefon|Miasto', 2],
  ['Imię|Numer telefonu|Kwota', 1],
  ['Ad|Soyad|Cep Telefonu|Şehir', 2],
  ['Ad|Telefon Numarası', 1],
  ['Ad|Cep No', 1],
  ['Nome|CEP|Telefone', 2],
  ['Nome|CEP|Endereço', null],
  ['Store phone|Customer phone|Name', 1],
  ['Name|Account manager mobile', null],
  ['Device|Mobile app version|Serial', null],
  ['Họ tên|SĐT|Địa chỉ', 1],
  ['Jméno|Telefonní číslo', 1],
  ['Név|Telefonszám|Összeg', 1],
  ['שם|טלפון נייד|עיר', 1],
  ['Navn|Mobilnummer|By', 1],
  ['Namn|Mobil|Ort', 1],
  ['Nimi|Puhelin|Kaupunki', 1],
  ['الاسم|رقم الجوال|المدينة', 1],
  ['الاسم|رقم الهاتف|الطلب', 1],
  ['الجوال|الاسم', 0],
  ['اسم العميل|واتساب|المبلغ', 1],
  ['姓名|手机|订单号', 1],
  ['姓名|手机号码|城市', 1],
  ['姓名|电话|地址', 1],
  ['氏名|携帯電話|住所', 1],
  ['名前|電話番号|日付', 1],
  ['이름|휴대폰|주소', 1],
  ['Имя|Телефон|Заказ', 1],
  ['Имя|Номер телефона|Сумма', 1],
  ['ФИО|Мобильный|Город', 1],
  ['Όνομα|Τηλέφωνο', 1],
  ['नाम|मोबाइल|शहर', 1],
  ['Name|Fax', null],
  ['Kundennummer|Bestellnummer|Betrag', null],
  ['Order|Amount|Date', null],
  ['Phone type|Phone status|Carrier', null],
  ['Name|Country code|Prefix', null],
];

const guessOf = (rows: string[][], wanted: Partial<ColumnsWanted> = {}) =>
  suggestColumns(rows, { ...WANTED, ...wanted });

describe('the phone column of real header rows', () => {
  const guesses = CORPUS.map(([line, column]) => {
    const headers = line.split('|');
    return { line, right: column === null ? null : headers[column], ...guessOf([headers]).phone };
  });

  it('is never wrong with high confidence', () => {
    expect(CORPUS.length).toBeGreaterThanOrEqual(60);
    expect(guesses.filter(({ confidence, source, right }) => confidence === 'high' && source !== right)).toEqual([]);
  });

  it('is right in at least 80 %, and mostly with high confidence', () => {
    const findable = guesses.filter(({ right }) => right !== null);
    const right = findable.filter((guess) => guess.source === guess.right);
    expect(right.length / findable.length).toBeGreaterThanOrEqual(0.8);
    expect(right.filter(({ confidence }) => confidence === 'high').length / findable.length).toBeGreaterThan(0.8);
  });
});

describe('the phone column', () => {
  const sure = (source: string) => ({ source, confidence: 'high' });
  const unsure = (source: string) => ({ source, confidence: 'low' });

  it('is unsure if several headers say so', () => {
    expect(guessOf([['Name', 'Telefon 1', 'Telefon 2']]).phone).toEqual(unsure('Telefon 1'));
    expect(guessOf([['Mobile', 'WhatsApp']]).phone).toEqual(unsure('Mobile'));
    expect(guessOf([['Home phone', 'Name']]).phone).toEqual(unsure('Home phone'));
  });

  it('is not one whose cells are something else, or mostly blank', () => {
    expect(
      guessOf([
        ['Mobile', 'Telefon'],
        ['yes', '+49 151 12345678'],
      ]).phone,
    ).toEqual(sure('Telefon'));
    expect(
      guessOf([
        ['Handy', 'Name'],
        ['+49 151 12345678', 'A'],
        ['12', 'B'],
      ]).phone,
    ).toEqual(sure('Handy'));
    expect(
      guessOf([
        ['Handy', 'Name'],
        ['yes', 'A'],
      ]).phone,
    ).toEqual(unsure('Handy'));
    const sparse = [
      ['Handy', 'Name'],
      ['+49 151 12345678', 'A'],
      ['', 'B'],
      ['', 'C'],
    ];
    expect(guessOf(sparse).phone).toEqual(unsure('Handy'));
  });

  it('is found by content where headers say nothing', () => {
    const rows = [
      ['Anna', '+49 151 12345678'],
      ['Ben', '0049 151 12345679'],
    ];
    expect(guessOf(rows).phone).toEqual(sure('B'));
    expect(guessOf([['who', 'where'], ...rows]).phone).toEqual(unsure('where'));
    expect(
      guessOf([
        ['who', 'Contact no.'],
        ['Anna', '919876543210'],
      ]).phone,
    ).toEqual(sure('Contact no.'));
  });

  it('is unsure among numbers that may be something else', () => {
    expect(guessOf([['Anna', '+4915112345678', '0151 1234567']]).phone).toEqual(unsure('B'));
    expect(guessOf([['Anna', '4915112345678', '4711000012']]).phone.confidence).toBe('low');
    expect(guessOf([['4711000012', 'Anna']]).phone.confidence).toBe('low');
    expect(guessOf([['Anna', 'Berlin']]).phone).toEqual({ source: null, confidence: 'none' });
  });

  it('is named by its letter if its header is blank or occurs twice', () => {
    expect(
      guessOf([
        ['Mobil', 'Mobil'],
        ['+4915112345678', ''],
      ]).phone.source,
    ).toBe('A');
  });

  it('may hold national numbers', () => {
    const rows = [
      ['wer', 'Kontakt Nr'],
      ['Anna', '0151 12345678'],
    ];
    expect(guessOf(rows, { defaultCountry: 'DE' }).phone).toEqual(sure('Kontakt Nr'));
    expect(guessOf([['Handy'], ['0151/12345678']]).phone).toEqual(sure('Handy'));
  });
});

describe('the columns of values', () => {
  const value = (name: string | null, title = name ?? '') => ({ name, title });
  const valuesOf = (header: string, values: ColumnsWanted['values']) =>
    guessOf([header.split('|')], { values }).values.map(({ source, confidence }) => `${source} ${confidence}`);

  it('are sure if a header is the name of the placeholder', () => {
    const values = [value('first_name'), value('orderId')];
    expect(valuesOf('Phone|Order ID|Firstname|First Name', values)).toEqual(['Firstname low', 'Order ID high']);
    expect(valuesOf('Phone|order-id|First Name|City', values)).toEqual(['First Name high', 'order-id high']);
  });

  it('are unsure if a header only means the same', () => {
    expect(valuesOf('Handy|Vorname|PLZ', [value('first_name')])).toEqual(['Vorname low']);
  });

  it('of numbered placeholders are sure only by title or number', () => {
    const values = [value(null, 'value 1 (body {{1}})'), value(null, 'value 2 (link ending)')];
    expect(valuesOf('Phone|value 1 (body {{1}})|{{2}}|x', values)).toEqual(['value 1 (body {{1}}) high', '{{2}} high']);
    expect(valuesOf('Vorname|Phone|Bestellung', values)).toEqual(['Vorname low', 'Bestellung low']);
    expect(valuesOf('Phone|Vorname|Bestellung|Ort', values)).toEqual(['null none', 'null none']);
  });

  it('may be followed by media and a reference', () => {
    const rows = [
      ['Phone', 'Reference', 'Invoice'],
      ['+4915112345678', 'K-1', 'https://files.example.com/1.pdf'],
    ];
    expect(guessOf(rows, { media: true })).toEqual({
      phone: { source: 'Phone', confidence: 'high' },
      values: [],
      headerMediaUrl: { source: 'Invoice', confidence: 'low' },
      reference: { source: 'Reference', confidence: 'low' },
    });
  });
});

describe('the column of names', () => {
  it.each([
    ['Handy|Name|Ort', 'Name', 'high'],
    ['Telefon|Kundenname', 'Kundenname', 'high'],
    ['Handy|Vorname|Name', 'Name', 'low'],
    ['Handy|Vorname|Nachname', null, 'none'],
    ['Handy|Name|Full name', null, 'none'],
  ])('of %s is %s, with confidence %s', (line, source, confidence) => {
    expect(guessOf([line.split('|')], { names: true }).name).toEqual({ source, confidence });
  });

  it('is suggested only where it is wanted', () => {
    expect(guessOf([['Handy', 'Name']])).not.toHaveProperty('name');
  });
});
