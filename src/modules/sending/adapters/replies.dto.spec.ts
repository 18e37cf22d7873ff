import { RequestValidationPipe } from '../../../infra/http/validation/request-validation.pipe';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { contentOf, REPLY_EXAMPLES, ReplyDto } from './replies.dto';

const ID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';
const URL = 'https://files.example.com/a.png';

const interactive = (kind: object, text = 'Well?') => ({ type: 'Interactive', text, interactive: kind });
const buttons = (...ids: string[]) => ({ buttons: ids.map((id) => ({ id, title: 'Yes' })) });
const list = (...sections: object[]) => ({ list: { buttonText: 'Choose', sections } });
const rows = (...ids: string[]) => ids.map((id) => ({ id, title: 'Row' }));
const LINK = { link: { title: 'Track', url: 'https://shop.example.com/t?id=1' } };

const read = (body: object) =>
  new RequestValidationPipe().transform(body, { type: 'body', metatype: ReplyDto }) as Promise<ReplyDto>;

async function errorsOf(body: object): Promise<string[]> {
  const error = await read(body).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ValidationFailedError)) return [];
  return error.errors.map(({ field, code }) => `${field} ${code}`);
}

describe('A reply body', () => {
  it.each(Object.entries(REPLY_EXAMPLES))('is accepted as documented: %s', async (_, { value }) => {
    expect(await errorsOf(value)).toEqual([]);
  });

  it.each<[string, object]>([
    ['a text without a type', { text: 'Hello' }],
    ['a text of 4,096 characters', { text: '\u{1F600}'.repeat(4096) }],
    ['null for omitted fields', { text: 'Hello', type: null, mediaId: null, replyTo: null, reaction: null }],
    ['a caption of 1,024 characters', { type: 'Video', mediaUrl: URL, text: 'x'.repeat(1024) }],
    ['an audio by its id', { type: 'Audio', mediaId: '900000000000011' }],
    ['a sticker as a reply to a message', { type: 'Sticker', mediaId: '9', replyTo: ID }],
    ['a location at the edge of the map', { type: 'Location', location: { latitude: -90, longitude: 180 } }],
    ['a removed reaction', { type: 'Reaction', reaction: { messageId: ID, emoji: '' } }],
    ['an emoji of several characters', { type: 'Reaction', reaction: { messageId: ID, emoji: '👩🏽‍🚒' } }],
    ['a flag', { type: 'Reaction', reaction: { messageId: ID, emoji: '🇩🇪' } }],
    ['a keycap', { type: 'Reaction', reaction: { messageId: ID, emoji: '1️⃣' } }],
    ['three buttons', interactive(buttons('a', 'b', 'c'))],
    [
      'a button with the longest label',
      interactive({ buttons: [{ id: 'x'.repeat(256), title: '\u{1F600}'.repeat(20) }] }),
    ],
    ['a list of two sections', interactive(list({ title: 'A', rows: rows('a') }, { title: 'B', rows: rows('b') }))],
    ['a list with 4,096 characters of text', interactive(list({ rows: rows('a') }), 'x'.repeat(4096))],
    ['a list with null for omitted fields', interactive({ ...list({ title: null, rows: rows('a') }), link: null })],
    ['a link with a footer', interactive({ ...LINK, footer: 'Acme' })],
    ['buttons as a reply to a message', { ...interactive(buttons('a')), replyTo: ID }],
  ])('may be %s', async (_, body) => {
    expect(await errorsOf(body)).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ['nothing', {}, ['text required']],
    ['an unknown type', { type: 'Poll' }, ['type not_allowed']],
    ['blanks', { text: ' \n ' }, ['text invalid_format']],
    ['a text of 4,097 characters', { text: 'x'.repeat(4097) }, ['text too_long']],
    [
      'a caption of 1,025 characters',
      { type: 'Image', mediaUrl: URL, text: '\u{1F600}'.repeat(1025) },
      ['text too_long'],
    ],
    ['a file without id or URL', { type: 'Image' }, ['mediaId required']],
    ['a file with both id and URL', { type: 'Image', mediaId: '1', mediaUrl: URL }, ['mediaUrl not_allowed']],
    ['a file without its type', { text: 'Look', mediaId: '1' }, ['mediaId not_allowed']],
    ['a caption of an audio', { type: 'Audio', mediaId: '1', text: 'Hear' }, ['text not_allowed']],
    ['a local file URL', { type: 'Image', mediaUrl: 'file:///etc/passwd' }, ['mediaUrl invalid_format']],
    ['a path as the file name', { type: 'Document', mediaId: '1', fileName: '../a' }, ['fileName invalid_format']],
    ['a location without one', { type: 'Location' }, ['location required']],
    [
      'a location off the map',
      { type: 'Location', location: { latitude: 91, longitude: '13' } },
      ['location.latitude out_of_range', 'location.longitude wrong_type'],
    ],
    ['a list of locations', { type: 'Location', location: [{ latitude: 1, longitude: 1 }] }, ['location wrong_type']],
    ['a reaction without one', { type: 'Reaction', text: '👍' }, ['text not_allowed', 'reaction required']],
    [
      'a word as a reaction',
      { type: 'Reaction', reaction: { messageId: ID, emoji: 'ok' } },
      ['reaction.emoji invalid_format'],
    ],
    ['two emojis', { type: 'Reaction', reaction: { messageId: ID, emoji: '👍👍' } }, ['reaction.emoji invalid_format']],
    [
      'a digit as a reaction',
      { type: 'Reaction', reaction: { messageId: ID, emoji: '1' } },
      ['reaction.emoji invalid_format'],
    ],
    [
      'a reaction with replyTo',
      { type: 'Reaction', reaction: { messageId: ID, emoji: '👍' }, replyTo: ID },
      ['replyTo not_allowed'],
    ],
    ['buttons without text', { type: 'Interactive', interactive: buttons('a') }, ['text required']],
    ['interactive without content', { type: 'Interactive', text: 'Well?' }, ['interactive required']],
    ['buttons without the type', { text: 'Well?', interactive: buttons('a') }, ['interactive not_allowed']],
    ['interactive with nothing to press', interactive({ footer: 'Acme' }), ['interactive not_allowed']],
    ['both buttons and a link', interactive({ ...buttons('a'), ...LINK }), ['interactive not_allowed']],
    ['no buttons', interactive(buttons()), ['interactive.buttons too_few']],
    ['four buttons', interactive(buttons('a', 'b', 'c', 'd')), ['interactive.buttons too_many']],
    ['the same button twice', interactive(buttons('a', 'a')), ['interactive.buttons not_unique']],
    ['invalid buttons', interactive({ buttons: ['a'] }), ['interactive.buttons[0] wrong_type']],
    [
      'buttons with long, blank or broken labels',
      interactive({ buttons: [{ id: 'a', title: 'x'.repeat(21) }, { id: ' ', title: 'a\nb' }, { id: 'c' }] }),
      [
        ...['interactive.buttons[0].title too_long', 'interactive.buttons[1].id invalid_format'],
        ...['interactive.buttons[1].title invalid_format', 'interactive.buttons[2].title required'],
      ],
    ],
    ['1,025 characters above buttons', interactive(buttons('a'), 'x'.repeat(1025)), ['text too_long']],
    ['a list without sections', interactive(list()), ['interactive.list.sections too_few']],
    ['a list with an empty section', interactive(list({ rows: [] })), ['interactive.list.sections[0].rows too_few']],
    [
      'eleven rows in two sections',
      interactive(list({ title: 'A', rows: rows(...'abcdefgh') }, { title: 'B', rows: rows('i', 'j', 'k') })),
      ['interactive.list.sections too_many'],
    ],
    [
      'the same row in two sections',
      interactive(list({ title: 'A', rows: rows('a') }, { title: 'B', rows: rows('a') })),
      ['interactive.list.sections not_unique'],
    ],
    [
      'two sections, one without a title',
      interactive(list({ title: 'A', rows: rows('a') }, { rows: rows('b') })),
      ['interactive.list.sections required'],
    ],
    [
      'a list with long texts',
      interactive({
        list: {
          buttonText: 'x'.repeat(21),
          sections: [
            { title: 'x'.repeat(25), rows: [{ id: 'x'.repeat(201), title: 'a', description: 'x'.repeat(73) }] },
          ],
        },
        footer: 'x'.repeat(61),
      }),
      [
        ...['interactive.list.buttonText too_long', 'interactive.list.sections[0].title too_long'],
        ...['interactive.list.sections[0].rows[0].id too_long'],
        ...['interactive.list.sections[0].rows[0].description too_long', 'interactive.footer too_long'],
      ],
    ],
    [
      'a link to a script',
      interactive({ link: { title: 'Go', url: 'javascript:alert(1)' } }),
      ['interactive.link.url invalid_format'],
    ],
    [
      'everything at once',
      { type: 'Text', mediaId: 7, previewUrl: 'yes', fileName: 'a', replyTo: 'x', to: '49' },
      [
        'text required',
        'mediaId not_allowed',
        'fileName not_allowed',
        'previewUrl wrong_type',
        'replyTo invalid_id',
        'to unknown_field',
      ],
    ],
  ])('is rejected if it is %s', async (_, body, errors) => {
    expect(await errorsOf(body)).toEqual(errors);
  });

  it('lists the ways to give a file', async () => {
    await expect(read({ type: 'Image' })).rejects.toThrow('A message with a file needs mediaId or mediaUrl.');
  });

  it('is stored without omitted fields', async () => {
    const body = await read({ type: 'Document', mediaUrl: URL, fileName: 'a.pdf', text: 'Here', location: null });

    expect(contentOf(body)).toEqual({ text: 'Here', media: { mediaId: null, url: URL, fileName: 'a.pdf' } });
    expect(contentOf(await read({ text: 'Hello', previewUrl: false }))).toEqual({ text: 'Hello' });
    const choice = list({ title: null, rows: [{ id: 'a', title: 'A', description: null }] });
    expect(contentOf(await read(interactive({ ...choice, footer: null })))).toEqual({
      text: 'Well?',
      interactive: list({ rows: [{ id: 'a', title: 'A' }] }),
    });
  });
});
