import { SendableTemplate } from './sendable-template';
import type { TemplateComponents } from './template-components';
import {
  InvalidValuesError,
  MediaMismatchError,
  ParameterMismatchError,
  TemplateNotSupportedError,
} from './templates.errors';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const MESSAGE_ID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';

const button = { text: 'x', url: null, phoneNumber: null };

function template(components: Partial<TemplateComponents>): SendableTemplate {
  return new SendableTemplate({
    revisionId: 'r1',
    name: 'order_update',
    languageCode: 'en_US',
    category: 'Utility',
    components: {
      ...{ parameterFormat: 'Positional', headerFormat: 'None', headerText: null, bodyText: '', footerText: null },
      ...{ buttons: [], offer: null, cards: [], unsupported: [] },
      ...components,
    },
  });
}

const text = (value: string, name?: string) => ({ kind: 'text', text: value, ...(name && { name }) });

describe('SendableTemplate', () => {
  describe('validates values by the limits of the platform', () => {
    const codesOf = (sendable: SendableTemplate, values: string[]) =>
      sendable.errorsOf(values).map(({ field, code }) => `${field} ${code}`);
    const greeting = template({
      headerFormat: 'Text',
      headerText: 'For {{1}}',
      bodyText: `Hi {{1}}, {{2}}!${'.'.repeat(19)} {{2}}`,
      buttons: [
        { ...button, type: 'Url', url: `https://x.test/${'u'.repeat(80)}{{1}}` },
        { ...button, type: 'CopyCode' },
      ],
    });
    const password = template({ bodyText: '*{{1}}*', buttons: [{ ...button, type: 'Otp' }] });
    const unlisted = new SendableTemplate({
      ...{ revisionId: 'r1', name: 'login', languageCode: 'en_US', category: 'Authentication' },
      components: {
        ...{ parameterFormat: 'Positional', headerFormat: 'None', headerText: null, bodyText: '*{{1}}*' },
        ...{ footerText: null, buttons: [], offer: null, cards: [], unsupported: [] },
      },
    });

    it.each([
      ['a header of 60 characters', greeting, ['x'.repeat(56), 'a', 'b', 'c', 'C'], []],
      ['one of 61', greeting, ['x'.repeat(57), 'a', 'b', 'c', 'C'], ['templateParameters[0].text text_too_long']],
      ['a body of 1,024, an emoji being one', greeting, ['x', 'Mira', '😀'.repeat(497), 'c', 'C'], []],
      [
        'one of 1,026',
        greeting,
        ['x', 'Mira', '😀'.repeat(498), 'c', 'C'],
        ['templateParameters[2].text text_too_long'],
      ],
      ['an address of 1,119 characters', greeting, ['x', 'a', 'b', 'c'.repeat(1024), 'C'], []],
      ['a coupon code of 20', greeting, ['x', 'a', 'b', 'c', 'C0'.repeat(10)], []],
      ['one of 21', greeting, ['x', 'a', 'b', 'c', 'C'.repeat(21)], ['templateParameters[4].text parameter_invalid']],
      ['one with a hyphen', greeting, ['x', 'a', 'b', 'c', 'A-1'], ['templateParameters[4].text parameter_invalid']],
      ['an empty one', greeting, ['x', 'a', 'b', 'c', ' '], ['templateParameters[4].text empty']],
      ['a missing one', greeting, ['x', 'a', 'b', 'c'], []],
      ['a password of 15', password, ['1'.repeat(15)], []],
      ['one of 16', password, ['1'.repeat(16)], ['templateParameters[0].text parameter_invalid']],
      ['one of 16 without its button', unlisted, ['1'.repeat(16)], ['templateParameters[0].text parameter_invalid']],
    ])('%s', (_, sendable, values, codes) => {
      expect(codesOf(sendable, values)).toEqual(codes);
    });

    it('an address of more than 2,000 characters', () => {
      const long = template({
        bodyText: 'Look',
        buttons: [{ ...button, type: 'Url', url: `https://x.test/${'u'.repeat(985)}{{1}}` }],
      });
      expect(codesOf(long, ['c'.repeat(1000)])).toEqual([]);
      expect(codesOf(long, ['c'.repeat(1001)])).toEqual(['templateParameters[0].text text_too_long']);
    });

    it('a body of 600 characters beside an offer', () => {
      const offer = template({ bodyText: 'Hi {{1}}', offer: { text: 'Ends soon!', hasExpiration: true } });
      expect(codesOf(offer, ['x'.repeat(597)])).toEqual([]);
      expect(codesOf(offer, ['x'.repeat(598)])).toEqual(['templateParameters[0].text text_too_long']);
    });

    it('a body of 160 characters below a product', () => {
      const product = template({ bodyText: 'Hi {{1}}', headerFormat: 'Product' });
      expect(codesOf(product, ['x'.repeat(157)])).toEqual([]);
      expect(codesOf(product, ['x'.repeat(158)])).toEqual(['templateParameters[0].text text_too_long']);
    });

    it('a longer body that the platform has approved', () => {
      expect(codesOf(template({ bodyText: 'x'.repeat(2000) }), [])).toEqual([]);
      expect(codesOf(template({ bodyText: `${'x'.repeat(2000)} {{1}} x` }), ['a'])).toEqual([]);
    });

    it('the same way for a recipient of a list, naming values by number', () => {
      expect(greeting.errorOfRecipient(['x', 'Mira', '😀'.repeat(497), 'c', 'CODE'])).toBeNull();
      expect(greeting.errorOfRecipient(['x', 'Mira', 'y'.repeat(498), 'c', 'A-1'])).toEqual({
        ...{ field: 'parameter 3', code: 'text_too_long' },
        message: expect.stringContaining('1026 characters') as string,
      });
      expect(greeting.errorOfRecipient(['x', 'a', 'b', 'c', 'A-1'])).toMatchObject({ field: 'parameter 5' });
      expect(greeting.errorOfRecipient(['x', 'a\tb', 'b', 'c', 'A-1'])).toMatchObject({
        ...{ field: 'parameter 2', code: 'parameter_invalid' },
        message: expect.stringContaining('tab') as string,
      });
    });

    it('and rejects a single send with the errors of its values', () => {
      const values = ['x', 'a', 'b', 'c', 'A-1'];
      expect(() => greeting.checkValues(values)).toThrow(ParameterMismatchError);
      expect(() => greeting.checkValues(values)).toThrow(
        expect.objectContaining({
          code: 'parameter_mismatch',
          extra: { expected: 5, actual: 5 },
          errors: [expect.objectContaining({ field: 'templateParameters[4].text', code: 'parameter_invalid' })],
        }),
      );
      expect(() => greeting.checkValues(['x', '', 'b', 'c', 'A-1'])).toThrow(InvalidValuesError);
    });
  });

  describe('in addition to its values', () => {
    const place = { latitude: 52.5, longitude: 13.4, name: 'Parcel shop', address: 'Alexanderplatz 1' };
    const shop = template({ headerFormat: 'Location', bodyText: 'Come by' });
    const question = template({
      bodyText: 'Will you come?',
      buttons: [
        { ...button, type: 'Url', url: 'https://x.test' },
        { ...button, type: 'QuickReply', text: 'Yes' },
        { ...button, type: 'QuickReply', text: 'No' },
      ],
    });

    it('requires the place of a location header and accepts no media', () => {
      expect(() => shop.checkExtras({ location: place }, NOW)).not.toThrow();
      expect(() => shop.checkExtras(null, NOW)).toThrow(TemplateNotSupportedError);
      expect(() => shop.checkExtras(null, NOW)).toThrow(
        'Send headerLocation with latitude, longitude, name and address',
      );
      expect(() => shop.checkExtras({ location: place, id: '1' }, NOW)).toThrow(MediaMismatchError);
      expect(() => question.checkExtras({ location: place }, NOW)).toThrow('Remove headerLocation');
      expect(shop.fill({ values: [], extras: { location: place }, messageId: MESSAGE_ID }).components).toEqual([
        { part: 'header', parameters: [{ kind: 'location', location: place }] },
      ]);
    });

    it('accepts payloads for its quick-reply buttons, by their index among all buttons', () => {
      expect(() => question.checkExtras({ payloads: { '1': 'yes-4711', '2': 'no-4711' } }, NOW)).not.toThrow();
      expect(() => question.checkExtras({ payloads: { '0': 'yes' } }, NOW)).toThrow('have the indices 1, 2');
      expect(() => question.checkExtras({ payloads: { '3': 'yes' } }, NOW)).toThrow(ParameterMismatchError);
      expect(() => shop.checkExtras({ location: place, payloads: { '0': 'x' } }, NOW)).toThrow(
        'no quick-reply buttons',
      );
      expect(
        question.fill({ values: [], extras: { payloads: { '2': 'no-4711' } }, messageId: MESSAGE_ID }).components,
      ).toEqual([
        { part: 'button', index: 2, action: 'quickReply', parameters: [{ kind: 'payload', payload: 'no-4711' }] },
      ]);
    });

    it('does not accept the same values after its quick-reply buttons changed, as a payload would be on the wrong one', () => {
      const [url, yes, no] = [
        { ...button, type: 'Url', url: 'https://x.test' } as const,
        { ...button, type: 'QuickReply', text: 'Yes' } as const,
        { ...button, type: 'QuickReply', text: 'No' } as const,
      ];
      expect(question.acceptsSameValuesAs(template({ bodyText: 'Do you come?', buttons: [url, yes, no] }))).toBe(true);
      expect(question.acceptsSameValuesAs(template({ bodyText: 'Will you come?', buttons: [url, no, yes] }))).toBe(
        false,
      );
    });
  });

  describe('has one list of values', () => {
    it('in the order header, body by number, buttons by index', () => {
      const full = template({
        headerFormat: 'Text',
        headerText: 'Parcel {{1}}',
        bodyText: 'Hi {{2}}, {{1}} and again {{2}}; {{10}}',
        buttons: [
          { ...button, type: 'QuickReply' },
          { ...button, type: 'CopyCode' },
          { ...button, type: 'Url', url: 'https://x.test/{{1}}' },
          { ...button, type: 'Url', url: 'https://x.test/fixed' },
          { ...button, type: 'PhoneNumber', phoneNumber: '+491' },
        ],
      });
      expect(full.valueCount).toBe(6);
      expect(
        full.fill({ values: ['h', 'one', 'two', 'ten', 'CODE', 'suffix'], extras: null, messageId: MESSAGE_ID })
          .components,
      ).toEqual([
        { part: 'header', parameters: [text('h')] },
        { part: 'body', parameters: [text('one'), text('two'), text('ten')] },
        { part: 'button', index: 1, action: 'copyCode', parameters: [{ kind: 'couponCode', code: 'CODE' }] },
        { part: 'button', index: 2, action: 'url', parameters: [text('suffix')] },
      ]);
    });

    it('with named placeholders by first appearance, each with its name', () => {
      const named = template({
        parameterFormat: 'Named',
        headerFormat: 'Text',
        headerText: 'For {{first_name}}',
        bodyText: 'At {{starts_at}}, {{first_name}}, yes {{starts_at}}',
        buttons: [{ ...button, type: 'Url', url: 'https://x.test/{{1}}' }],
      });
      expect(named.valueCount).toBe(4);
      expect(
        named.fill({ values: ['Mira', '09:30', 'Mia', 'id'], extras: null, messageId: MESSAGE_ID }).components,
      ).toEqual([
        { part: 'header', parameters: [text('Mira', 'first_name')] },
        { part: 'body', parameters: [text('09:30', 'starts_at'), text('Mia', 'first_name')] },
        { part: 'button', index: 0, action: 'url', parameters: [text('id')] },
      ]);
    });

    it('of one value for a one-time password, used in body and button', () => {
      const login = template({ bodyText: '*{{1}}* is your code.', buttons: [{ ...button, type: 'Otp' }] });
      expect(login.valueCount).toBe(1);
      expect(login.fill({ values: ['402913'], extras: null, messageId: MESSAGE_ID }).components).toEqual([
        { part: 'body', parameters: [text('402913')] },
        { part: 'button', index: 0, action: 'url', parameters: [text('402913')] },
      ]);
    });

    it('that is empty for a fixed text, which is sent without components', () => {
      const fixed = template({ headerFormat: 'Text', headerText: 'Hello', bodyText: 'Welcome {{ }} {{}} {1}' });
      expect(fixed.valueCount).toBe(0);
      expect(fixed.fill({ values: [], extras: null, messageId: MESSAGE_ID })).toEqual({
        name: 'order_update',
        languageCode: 'en_US',
        category: 'Utility',
        components: [],
      });
    });

    it('that tolerates blanks and leading zeros in the braces', () => {
      const loose = template({ bodyText: '{{ 1 }} {{01}} {{2 }}' });
      expect(loose.valueCount).toBe(2);
      expect(loose.render(['a', 'b'])).toBe('a a b');
    });
  });

  describe('checks values', () => {
    const two = template({ bodyText: '{{1}} {{2}}' });

    it.each([[[]], [['a']], [['a', 'b', 'c']]])('and rejects the count of %j', (values) => {
      expect(() => two.checkValues(values)).toThrow(ParameterMismatchError);
      expect(() => two.checkValues(values)).toThrow(
        expect.objectContaining({ extra: { expected: 2, actual: values.length } }),
      );
    });

    it('and names every value that cannot be sent', () => {
      expect(() => two.checkValues(['a', 'b'])).not.toThrow();
      expect(() => two.checkValues(['', 'a\nb'])).toThrow(InvalidValuesError);
      expect(() => two.checkValues(['', 'a\nb'])).toThrow(
        expect.objectContaining({
          errors: [
            expect.objectContaining({ field: 'templateParameters[0].text', code: 'empty' }),
            expect.objectContaining({ field: 'templateParameters[1].text', code: 'line_break' }),
          ],
        }),
      );
    });
  });

  describe('checks header media', () => {
    it.each(['Image', 'Video', 'Document'] as const)('and requires exactly one for %s', (headerFormat) => {
      const media = template({ headerFormat });
      expect(() => media.checkExtras({ id: '1' }, NOW)).not.toThrow();
      expect(() => media.checkExtras({ link: 'https://x.test/a' }, NOW)).not.toThrow();
      for (const wrong of [null, {}, { id: '1', link: 'https://x.test/a' }]) {
        expect(() => media.checkExtras(wrong, NOW)).toThrow(MediaMismatchError);
      }
    });

    it.each(['None', 'Text'] as const)('and accepts none for %s', (headerFormat) => {
      const plain = template({ headerFormat });
      expect(() => plain.checkExtras(null, NOW)).not.toThrow();
      expect(() => plain.checkExtras({ id: '1' }, NOW)).toThrow(MediaMismatchError);
    });

    it('and accepts a file name only for a document', () => {
      const named = { link: 'https://x.test/a', fileName: 'a.pdf' };
      expect(() => template({ headerFormat: 'Document' }).checkExtras(named, NOW)).not.toThrow();
      expect(() => template({ headerFormat: 'Image' }).checkExtras(named, NOW)).toThrow('Remove headerMediaFileName');
      expect(() => template({ headerFormat: 'None' }).checkExtras({ fileName: 'a' }, NOW)).toThrow(MediaMismatchError);
      expect(() => template({ headerFormat: 'Document' }).checkExtras({ fileName: 'a' }, NOW)).toThrow('Send header');
    });

    it.each([
      ['https://x.test/files/price%20list.pdf?v=2#top', 'price list.pdf'],
      ['https://x.test/100%.pdf', '100%.pdf'],
      ['https://x.test/a%2Fb%0A.pdf', 'ab.pdf'],
      [`https://x.test/${'x'.repeat(300)}`, 'x'.repeat(240)],
      ['https://x.test/', undefined],
    ])('and names a document after the last part of its URL: %s', (link, fileName) => {
      const { components } = template({ headerFormat: 'Document' }).fill({
        values: [],
        extras: { link },
        messageId: MESSAGE_ID,
      });
      const media = { link, ...(fileName !== undefined && { fileName }) };
      expect(components).toEqual([{ part: 'header', parameters: [{ kind: 'media', mediaType: 'document', media }] }]);
    });

    it('and gives an image no name', () => {
      const { components } = template({ headerFormat: 'Image' }).fill({
        values: [],
        extras: { link: 'https://x.test/a.png' },
        messageId: MESSAGE_ID,
      });
      expect(components).toEqual([
        {
          part: 'header',
          parameters: [{ kind: 'media', mediaType: 'image', media: { link: 'https://x.test/a.png' } }],
        },
      ]);
    });

    it('and puts it into the header', () => {
      expect(
        template({ headerFormat: 'Image' }).fill({ values: [], extras: { id: '77' }, messageId: MESSAGE_ID })
          .components,
      ).toEqual([{ part: 'header', parameters: [{ kind: 'media', mediaType: 'image', media: { id: '77' } }] }]);
    });
  });

  it('renders header, body and footer with literal values', () => {
    const full = template({
      headerFormat: 'Text',
      headerText: 'Parcel {{1}}',
      bodyText: 'Hi {{2}},\n{{1}}!',
      footerText: 'Reply STOP',
    });
    expect(full.render(['H', '$& {{2}}', 'Mira'])).toBe('Parcel H\n\nHi Mira,\n$& {{2}}!\n\nReply STOP');
  });

  it('rejects a placeholder without a value', () => {
    expect(() =>
      template({ bodyText: '{{1}} {{2}}' }).fill({ values: ['a'], extras: null, messageId: MESSAGE_ID }),
    ).toThrow(ParameterMismatchError);
  });
});
