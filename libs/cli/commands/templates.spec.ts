import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { previewTemplateDraft } from '../../client/generated/sdk.gen';
import { Output } from '../output';
import type { Session } from '../session';
import { previewDraft, show } from './templates';

const TEMPLATE = {
  ...{ name: 'invoice_ready', languageCode: 'en_US', category: 'Utility', status: 'Approved', qualityRating: null },
  ...{ rejectionReason: null, headerFormat: 'Document', headerText: null, footerText: 'Reply STOP', cards: [] },
  bodyText: 'Hello {{1}},\n\nyour invoice is attached.',
  buttons: [{ type: 'Url', text: 'Pay', url: 'https://example.com/{{1}}', phoneNumber: null }],
  values: [
    { title: 'value 1 (body {{1}})', example: 'Example 1' },
    { title: 'value 2 (link ending)', example: 'example-2' },
  ],
  ...{ needs: ['headerMedia'], unsupported: [], sendable: true },
};

/** The lines that a command writes, with single gaps, with a client that answers each call with `call`. */
async function linesOf(
  command: (session: Session) => Promise<number>,
  call: (...request: unknown[]) => object,
  json = false,
): Promise<string[]> {
  let written = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((piece) => Boolean((written += String(piece))));
  const client = () =>
    Promise.resolve({
      templates: () => Readable.from([TEMPLATE]),
      call: (...request: unknown[]) => Promise.resolve(call(...request)),
    });
  const out = new Output({ json });
  await command({ client, out, signal: new AbortController().signal } as unknown as Session);
  jest.restoreAllMocks();
  return written.split('\n').map((line) => line.replace(/  +/g, '  ').trimEnd());
}

/** The lines that `templates show` writes. */
const shown = (template: object, json = false) =>
  linesOf(
    (session) => show(session, 'invoice_ready', {}),
    () => ({ ...TEMPLATE, ...template }),
    json,
  );

describe('A template', () => {
  it('shows what a send needs, and a command to copy', async () => {
    const send = "messaging send +4915112345678 'Example 1' example-2 --template invoice_ready --language en_US";
    expect(await shown({})).toEqual([
      ...['template  invoice_ready (en_US)', 'status  Approved', 'category  Utility', 'header  Document'],
      ...['text  Hello {{1}},', '', '  your invoice is attached.', 'footer  Reply STOP'],
      ...['button 0  Url "Pay" https://example.com/{{1}}', 'values  2'],
      ...['  value 1 (body {{1}})  Example 1', '  value 2 (link ending)  example-2'],
      ...[`to send  ${send} --media-url https://example.com/header`, ''],
    ]);
  });

  it.each([
    [{ status: 'Rejected', rejectionReason: 'INVALID_FORMAT', sendable: false }, 'status  Rejected: INVALID_FORMAT'],
    [{ unsupported: ['order details button'], sendable: false }, 'cannot be sent  order details button'],
    [
      { needs: ['headerLocation'] },
      'to send  POST /send-template with headerLocation, which the command line does not have',
    ],
  ])('shows why it cannot be sent: %j', async (template, line) => {
    const lines = await shown(template);
    expect(lines).toContain(line);
    expect(lines.join()).not.toContain('messaging send');
  });

  it('is itself with --json', async () => {
    const lines = await shown({}, true);
    expect(JSON.parse(lines.join(''))).toEqual(TEMPLATE);
  });
});

describe('A template that is not saved', () => {
  it('is previewed from its file, with its offer and its cards', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'draft-'));
    const file = join(folder, 'draft.json');
    const draft = { name: 'sale', body: { text: 'Hi {{1}}' } };
    writeFileSync(file, JSON.stringify(draft));
    const buttons = [{ type: 'Url', text: 'Shop', url: 'https://example.com/1', phoneNumber: null, code: null }];
    const call = jest.fn((..._: unknown[]) => ({
      ...{ renderedText: 'Hi Mira', offer: { text: 'Ends soon!', expiresAt: null }, problems: [] },
      cards: [{ header: { format: 'Image' }, body: 'Only 3 left', buttons }],
    }));
    const lines = await linesOf((session) => previewDraft(session, file, ['Mira']), call);
    rmSync(folder, { recursive: true });
    expect(call.mock.calls[0]?.slice(0, 2)).toEqual([
      previewTemplateDraft,
      { body: { draft, templateParameters: [{ text: 'Mira' }] } },
    ]);
    expect(lines).toEqual([
      ...['Hi Mira', '', 'Ends soon!', '', 'Card 1: Image', 'Only 3 left', 'Url "Shop" https://example.com/1', ''],
    ]);
  });
});
