import { textToLookUp } from './search-keys';

describe('The part of a search that is looked up', () => {
  it.each([
    ['anna meier', 'anna·meier'],
    ['anna 123', 'anna·123'],
    ['mira 1234567', '1234567'],
    ['order-4711 of 2026', 'order-4711'],
    ['Öz_ 2026', '2026'],
    ['öz x', null],
    ['öl', null],
    ['ab', null],
  ])('%s', (text, lookedUp) => {
    expect(textToLookUp(text.split(' '))).toBe(lookedUp);
  });
});
