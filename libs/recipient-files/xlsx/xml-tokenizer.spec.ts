import fc from 'fast-check';
import { FileRefused } from '../file-refused';
import { XmlTokenizer } from './xml-tokenizer';

/** What a handler hears when the XML arrives cut at these places. */
function heard(xml: string, cuts: number[] = [], maxCharacters = 1_000): string[] {
  const events: string[] = [];
  const tokenizer = new XmlTokenizer(
    {
      open: (name, attributes) => events.push(`<${name}${attributes}>`),
      close: (name) => events.push(`</${name}>`),
      text: (text, literal) => events.push(literal ? `[${text}]` : text),
    },
    { tokenCharacters: maxCharacters, elements: 1_000 },
  );
  const places = [0, ...cuts.map((cut) => cut % (xml.length + 1)).sort((a, b) => a - b), xml.length];
  places.slice(1).forEach((end, index) => {
    tokenizer.write(xml.slice(places[index], end));
  });
  tokenizer.end();
  return events;
}

const SAMPLE = `<?xml version="1.0"?><!-- > < --><x:a b="1>2" c='"'>t&amp;t<d/><![CDATA[<&]]> e > f<x:g\n h = "i" /></x:a>\n`;

describe('XML in pieces', () => {
  it('is split into tags and text, without prefixes, comments and declarations', () => {
    expect(heard(SAMPLE)).toEqual([
      `<a b="1>2" c='"'>`,
      't&amp;t',
      '<d>',
      '</d>',
      '[<&]',
      ' e > f',
      `<g\n h = "i" >`,
      '</g>',
      '</a>',
    ]);
  });

  it('is split alike wherever the pieces are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200), { maxLength: 12 }), (cuts) => {
        expect(heard(SAMPLE, cuts)).toEqual(heard(SAMPLE));
      }),
    );
  });

  it.each([
    ['that ends early', '<a><b></b>'],
    ['that ends in a tag', '<a><b'],
    ['that is empty', ''],
    ['with tags that do not match', '<a><b></a></b>'],
    ['with two documents', '<a/><b/>'],
    ['with text outside', '<a/>text'],
    ['with a tag inside a tag', '<a <b>></a>'],
    ['with a tag without a name', '<></>'],
    ['with a document type definition', '<!DOCTYPE a [<!ENTITY x "y">]><a/>'],
    ['nested too deep', '<a>'.repeat(65) + '</a>'.repeat(65)],
  ])('%s is refused as damaged', (_, xml) => {
    expect(() => heard(xml)).toThrow(expect.objectContaining({ code: 'file_unreadable', reason: 'corrupt' }));
  });

  it('with a text, a comment or a tag without end is refused before it fills the memory', () => {
    for (const start of ['<a>', '<a><!--', '<a b="']) {
      expect(() => heard(start + 'x'.repeat(2_000), [500, 1_000, 1_500])).toThrow(FileRefused);
    }
  });
});
