import { foldText } from './folded-text';

describe(foldText, () => {
  it.each([
    ['Aydın', 'aydin'],
    ['AYDIN İNCİ', 'aydin inci'],
    ['Müller-Großmann', 'muller-grossmann'],
    ['STRAẞE', 'strasse'],
    ['Nguyễn Đức', 'nguyen duc'],
    ['Łukasz Żak', 'lukasz zak'],
    ['Jose\u0301 Søren', 'jose soren'],
    ['\u212Aelvin', 'kelvin'],
    ["O’Connor O'Connor", 'oconnor oconnor'],
    ['\u0301', '\u0301'],
    ['Елена ΕΛΕΝΗ 山田', 'елена ελενη 山田'],
  ])('folds %s to %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });
});
