import { type Block, type Inline, openVariable, parseText } from '../../libs/console/ui/bubble/whatsapp-text';
import { bubbleOfTemplate, slotsOf, type TemplateContents } from '../../libs/console/ui/bubble/template-values';

/** Blocks in a short notation: `bold(…)`, `[variable]`, `<url>`. */
function shown(text: string): string[] {
  const inline = (one: Inline): string => {
    if (one.kind === 'text') return one.text;
    if (one.kind === 'variable') return `[${one.name}]`;
    if (one.kind === 'link') return `<${one.href}>`;
    return `${one.kind}(${one.children.map(inline).join('')})`;
  };
  const block = (one: Block): string => {
    if (one.kind === 'list')
      return `${one.start ?? '-'}: ${one.items.map((item) => item.map(inline).join('')).join(' | ')}`;
    const inside = one.children.map(inline).join('');
    return one.kind === 'text' ? inside : `${one.kind}: ${inside}`;
  };
  return parseText(text).map(block);
}

describe('The text of a message', () => {
  it.each([
    ['*bold* and _italic_ and ~struck~', ['bold(bold) and italic(italic) and strike(struck)']],
    ['*bold _and italic_*', ['bold(bold italic(and italic))']],
    ['2*3*4 is snake_case_name', ['2*3*4 is snake_case_name']],
    ['a * no bold * and *not\nover lines*', ['a * no bold * and *not\nover lines*']],
    ['`*code*` stays', ['code(*code*) stays']],
    ['see ```*a*\nb``` there', ['see ', 'mono: *a*\nb', ' there']],
    ['A:\n- one\n- *two*\nend', ['A:', '-: one | bold(two)', 'end']],
    ['1. one\n2. two', ['1: one | two']],
    ['> quoted\nanswer', ['quote: quoted', 'answer']],
    ['(https://example.com/a_b_c?x=1).', ['(<https://example.com/a_b_c?x=1>).']],
    ['www.example.com', ['<https://www.example.com>']],
    ['javascript:alert(1) <b>no</b>', ['javascript:alert(1) <b>no</b>']],
    [`Hello *${openVariable('first_name')}*!`, ['Hello bold([first_name])!']],
    ['', []],
    [
      '\u05e9\u05dc\u05d5\u05dd *\u05e2\u05d5\u05dc\u05dd*',
      ['\u05e9\u05dc\u05d5\u05dd bold(\u05e2\u05d5\u05dc\u05dd)'],
    ],
    ['*\u{1f389}\u{1f389}*', ['bold(\u{1f389}\u{1f389})']],
  ])('%j', (text, blocks) => {
    expect(shown(text)).toEqual(blocks);
  });

  it('is unchanged if marks are not closed', () => {
    const text = '*a '.repeat(340);
    expect(shown(text)).toEqual([text]);
  });
});

describe('A template with values', () => {
  const PARCEL: TemplateContents = {
    parameterFormat: 'Positional',
    ...{ headerFormat: 'Text', headerText: 'Parcel {{1}}', footerText: 'Bye' },
    bodyText: 'Hello {{2}}, {{01}} and {{2}} again.',
    buttons: [
      { type: 'QuickReply', text: 'Thanks', url: null, phoneNumber: null },
      { type: 'Url', text: 'Track', url: 'https://example.com/{{1}}', phoneNumber: null },
      { type: 'CopyCode', text: 'Copy', url: null, phoneNumber: null },
    ],
  };

  it('takes values in API order: header, body by number, buttons', () => {
    expect(slotsOf(PARCEL).map(({ part, name }) => `${part} ${name}`)).toEqual([
      ...['header 1', 'body 1', 'body 2', 'button Track', 'button Copy'],
    ]);
    const bubble = bubbleOfTemplate(PARCEL, ['PK', 'one', 'two', 'end', 'CODE']);
    expect(bubble).toMatchObject({
      header: { kind: 'text', text: 'Parcel PK' },
      body: 'Hello two, one and two again.',
      footer: 'Bye',
      buttons: [
        { kind: 'reply', text: 'Thanks' },
        { kind: 'link', text: 'Track', value: 'https://example.com/end' },
        { kind: 'copy', text: 'Copy', value: 'CODE' },
      ],
    });
  });

  it('marks what is missing or empty: as samples, or in the message of a person by name', () => {
    expect(bubbleOfTemplate(PARCEL, ['', 'one'])).toMatchObject({
      header: { text: `Parcel ${openVariable('A-1042')}` },
      body: `Hello ${openVariable('Mira')}, one and ${openVariable('Sample 2')} again.`,
    });
    expect(bubbleOfTemplate(PARCEL, ['', 'one'], {}, 'names')).toMatchObject({
      header: { text: `Parcel ${openVariable('{{1}}')}` },
      body: `Hello ${openVariable('{{2}}')}, one and ${openVariable('{{2}}')} again.`,
    });
  });

  it('uses the one-time password in body and button', () => {
    const code: TemplateContents = {
      ...{ parameterFormat: 'Positional', headerFormat: 'None', headerText: null, footerText: null },
      bodyText: '*{{1}}* is your code.',
      buttons: [{ type: 'Otp', text: 'Copy code', url: null, phoneNumber: null }],
    };
    expect(slotsOf(code)).toHaveLength(1);
    expect(bubbleOfTemplate(code, ['123456'])).toMatchObject({
      body: '*123456* is your code.',
      buttons: [{ value: '123456' }],
    });
  });

  it('labels named variables with their names', () => {
    const named: TemplateContents = {
      ...PARCEL,
      parameterFormat: 'Named',
      headerText: null,
      bodyText: 'Dear {{first_name}}, at {{at}}.',
      buttons: [],
    };
    expect(slotsOf(named).map(({ label }) => label)).toEqual(['first name', 'at']);
    expect(bubbleOfTemplate(named, ['Mira', 'ten']).body).toBe('Dear Mira, at ten.');
  });
});
