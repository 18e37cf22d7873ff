import { DEFAULT_KEYWORDS, errorsOfKeywords, keywordReader } from './opt-out-keywords';

describe('Keywords', () => {
  const read = keywordReader(DEFAULT_KEYWORDS);

  it.each(['STOP', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'])('of the service opt out with %s', (text) => {
    expect(read(text)).toBe('out');
    expect(read(text.toLowerCase())).toBe('out');
  });

  it.each([
    ...[
      'Stopp',
      'Stopp!',
      'STOPALL',
      'Arrêt',
      'arret',
      'BAJA',
      'Parar',
      'Abmelden',
      'ABMELDEN',
      'Abmelden.',
      'Abbestellen',
    ],
    ...['austragen', 'DESABONNER', 'Désabonner', 'De\u0301sabonner', 'desinscrire', 'DÉSINSCRIRE'],
  ])('of every account opt out in other languages with %s', (text) => {
    expect(read(text)).toBe('out');
    expect(keywordReader({ optOutKeywords: ['iptal'], optInKeywords: ['başla'] })(text)).toBe('out');
  });

  it('of the service opt in with START', () => {
    expect(read('Start')).toBe('in');
  });

  it.each([
    ['blanks around it', ' \n stop\t '],
    ['a full stop', 'Stop.'],
    ['exclamation marks', 'STOP!!!'],
    ['quotation marks', '“STOP”'],
    ['the marks of bold text', '*STOP*'],
    ['an emoji', 'STOP \u{1F6D1}\uFE0F'],
    ['wide letters', 'ＳＴＯＰ'],
    ['invisible characters in it', '\u200FST\u200BOP\u2060'],
    ['control characters around it', '\u0000STOP\u0007'],
  ])('are recognised with %s', (_, text) => {
    expect(read(text)).toBe('out');
  });

  it.each([
    ['a sentence', 'please stop'],
    ['a keyword with more words', 'stop it'],
    ['a question', 'stop?'],
    ['a word that can be an answer', 'nein'],
    ['a sentence in another language', 'Ich möchte mich abmelden'],
    ['a question in other scripts', 'stop؟'],
    ['two keywords', 'stop start'],
    ['a part of a word', 'stopover'],
    ['nothing', ''],
    ['blanks', ' \u00a0\n'],
    ['punctuation', '!?.'],
    ['half a surrogate pair', 'stop\ud83dx'],
    ['a lot of punctuation', `STOP${'!'.repeat(100_000)}`],
    ['a letter that expands to eighteen', '\ufdfa'.repeat(50_000)],
  ])('are not recognised in %s', (_, text) => {
    expect(read(text)).toBeNull();
  });

  it('of an account may be in any language and any case', () => {
    const own = keywordReader({ optOutKeywords: ['iptal', 'ARRÊT', 'не писать'], optInKeywords: ['başla'] });
    const outs = ['İPTAL', 'ıptal', 'Iptal', 'arre\u0302t!', 'Не  Писать'];
    expect(outs.map(own)).toEqual(outs.map(() => 'out'));
    expect(own('BAŞLA')).toBe('in');
  });

  it('of an account replace those of the service except STOP and START', () => {
    const own = keywordReader({ optOutKeywords: ['iptal'], optInKeywords: ['alta'] });
    expect(['iptal', 'stop', 'alta', 'start', 'cancel', 'end'].map(own)).toEqual([
      'out',
      'out',
      'in',
      'in',
      null,
      null,
    ]);
  });

  describe('chosen by an account', () => {
    const errorsOf = (optOutKeywords: string[], optInKeywords: string[]) =>
      errorsOfKeywords({ optOutKeywords, optInKeywords }).map(({ field, code }) => [field, code]);

    it('are accepted if they are distinct', () => {
      expect(errorsOf(['STOP', 'baja'], ['START', 'alta'])).toEqual([]);
      expect(errorsOf(['x'.repeat(64)], ['y'])).toEqual([]);
    });

    it('are reported with all errors in field order', () => {
      expect(errorsOf(['', 'x'.repeat(65), 'a\u0000b', '!!', 'baja', 'BAJA.'], ['alta', 'Baja', 'a\nb'])).toEqual([
        ['optOutKeywords.0', 'keyword_invalid'],
        ['optOutKeywords.1', 'keyword_invalid'],
        ['optOutKeywords.2', 'keyword_invalid'],
        ['optOutKeywords.3', 'keyword_invalid'],
        ['optOutKeywords.5', 'keyword_repeated'],
        ['optInKeywords.1', 'keyword_in_both'],
        ['optInKeywords.2', 'keyword_invalid'],
      ]);
    });

    it('cannot swap STOP and START', () => {
      expect(errorsOf(['start'], ['Stop!'])).toEqual([
        ['optOutKeywords.0', 'keyword_in_both'],
        ['optInKeywords.0', 'keyword_in_both'],
      ]);
    });
  });
});
