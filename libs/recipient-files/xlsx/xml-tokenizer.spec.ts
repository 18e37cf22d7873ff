import fc from 'fast-check';
import { FileRefused } from '../file-refused';
import { XmlTokenizer } from './xml-tokenizer';

/** The events of a handler if the XML is split at `cuts`. */
function eventsOf(xml: string, cuts: number[] = [], maxCharacters = 1_000): string[] {
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

describe('XML in chunks', () => {
  it('is split into tags and text, without prefixes, comments and declarations', () => {
    expect(eventsOf(SAMPLE)).toEqual([
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

  it('gives the same events wherever the chunks are split', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200), { maxLength: 12 }), (cuts) => {
        expect(eventsOf(SAMPLE, cuts)).toEqual(eventsOf(SAMPLE));
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
  ])('%s is rejected as damaged', (_, xml) => {
    expect(() => eventsOf(xml)).toThrow(expect.objectContaining({ code: 'file_unreadable', reason: 'corrupt' }));
  });

  it('with an endless text, comment or tag is rejected before it fills the memory', () => {
    for (const start of ['<a>', '<a><!--', '<a b="']) {
      expect(() => eventsOf(start + 'x'.repeat(2_000), [500, 1_000, 1_500])).toThrow(FileRefused);
    }
  });
});
