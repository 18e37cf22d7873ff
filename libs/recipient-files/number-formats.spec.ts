import { NumberFormats } from './number-formats';

const formats = new NumberFormats(false);
/** Noon of 31 January 2024. */
const NOON = 45322.5;

describe('a number under a format', () => {
  it.each([
    ['dd.mm.yyyy', NOON, '31.01.2024'],
    ['d.m.yy', NOON, '31.1.24'],
    ['dd\\.mm\\.yyyy;@', NOON, '31.01.2024'],
    ['dd.mm.yyyy hh:mm "Uhr."', NOON, '31.01.2024 12:00 Uhr.'],
    ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', NOON, 'Wednesday, January 31, 2024'],
    ['mmmm d, yyyy', NOON, 'January 31, 2024'],
    ['[$-409]d-mmm-yy;@', NOON, '31-Jan-24'],
    ['mm:ss.0', NOON, '00:00.0'],
    ['[h]:mm', 1.5, '36:00'],
    ['h:mm AM/PM', 0.75, '6:00 PM'],
    ['0%', 0.125, '13%'],
    ['0.00', 1.005, '1.01'],
    ['0.00', 2.675, '2.68'],
    ['0.00', -1.005, '-1.01'],
    ['0.00', 0.005, '0.01'],
    ['0.0', 0.25, '0.3'],
    ['#,##0.00', 1234567.125, '1,234,567.13'],
    [2, 1.005, '1.01'],
    ['0.00E+00', 0.5, '5.00E-01'],
    ['#,##0.00 [$€-407]', 1234.5, '1,234.50 €'],
    ['[$SAR] #,##0.00', 1234.5, 'SAR 1,234.50'],
    ['00000', 1234, '01234'],
    ['0;-0;;@', 0, ''],
    ['[Red]-0', 5, '-5'],
    ['"Nr. "0', 5, 'Nr. 5'],
    ['# ?/?', 1.5, '1 1/2'],
    ['General', 1234567890123, '1234567890123'],
    ['@', 1234567890123, '1234567890123'],
    [undefined, 0.1 + 0.2, '0.3'],
    [undefined, 1e21, '1E+21'],
    [14, NOON, '1/31/2024'],
    [10, 0.5, '50.00%'],
    ['nonsense {', 5, '5'],
    ['x'.repeat(300), 5, '5'],
  ])('%s: %d is shown as %j', (format, value, text) => {
    expect(formats.text(value, format).trim()).toBe(text);
  });

  it('counts days from 1904 if the file does', () => {
    expect(new NumberFormats(true).text(NOON - 1462, 'yyyy-mm-dd')).toBe('2024-01-31');
  });
});
