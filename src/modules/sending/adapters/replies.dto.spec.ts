import { RequestValidationPipe } from '../../../infra/http/request-validation.pipe';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { contentOf, REPLY_EXAMPLES, ReplyDto } from './replies.dto';

const ID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';
const URL = 'https://files.example.com/a.png';

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

describe('The body of a reply', () => {
  it.each(Object.entries(REPLY_EXAMPLES))('is taken as documented: %s', async (_, { value }) => {
    expect(await errorsOf(value)).toEqual([]);
  });

  it.each<[string, object]>([
    ['a text without a type', { text: 'Hello' }],
    ['a text of 4,096 characters', { text: '\u{1F600}'.repeat(4096) }],
    ['null for what it leaves out', { text: 'Hello', type: null, mediaId: null, replyTo: null, reaction: null }],
    ['a caption of 1,024 characters', { type: 'Video', mediaUrl: URL, text: 'x'.repeat(1024) }],
    ['an audio by its id', { type: 'Audio', mediaId: '900000000000011' }],
    ['a sticker as an answer', { type: 'Sticker', mediaId: '9', replyTo: ID }],
    ['a place at the edge of the map', { type: 'Location', location: { latitude: -90, longitude: 180 } }],
    ['a reaction that is taken away', { type: 'Reaction', reaction: { messageId: ID, emoji: '' } }],
    ['an emoji of several characters', { type: 'Reaction', reaction: { messageId: ID, emoji: '👩🏽‍🚒' } }],
    ['a flag', { type: 'Reaction', reaction: { messageId: ID, emoji: '🇩🇪' } }],
    ['a keycap', { type: 'Reaction', reaction: { messageId: ID, emoji: '1️⃣' } }],
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
    ['a file that is not named', { type: 'Image' }, ['mediaId required']],
    ['a file that is named twice', { type: 'Image', mediaId: '1', mediaUrl: URL }, ['mediaUrl not_allowed']],
    ['a file without its type', { text: 'Look', mediaId: '1' }, ['mediaId not_allowed']],
    ['a caption of an audio', { type: 'Audio', mediaId: '1', text: 'Hear' }, ['text not_allowed']],
    [
      'a file that only this machine can see',
      { type: 'Image', mediaUrl: 'file:///etc/passwd' },
      ['mediaUrl invalid_format'],
    ],
    ['a path as the name of a file', { type: 'Document', mediaId: '1', fileName: '../a' }, ['fileName invalid_format']],
    ['a location without one', { type: 'Location' }, ['location required']],
    [
      'a place beyond the map',
      { type: 'Location', location: { latitude: 91, longitude: '13' } },
      ['location.latitude out_of_range', 'location.longitude wrong_type'],
    ],
    ['a list of places', { type: 'Location', location: [{ latitude: 1, longitude: 1 }] }, ['location wrong_type']],
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
      'a reaction that answers',
      { type: 'Reaction', reaction: { messageId: ID, emoji: '👍' }, replyTo: ID },
      ['replyTo not_allowed'],
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
  ])('is refused when it is %s', async (_, body, errors) => {
    expect(await errorsOf(body)).toEqual(errors);
  });

  it('tells which ways there are to name a file', async () => {
    await expect(read({ type: 'Image' })).rejects.toThrow('A message with a file needs mediaId or mediaUrl.');
  });

  it('is kept without what it leaves out', async () => {
    const body = await read({ type: 'Document', mediaUrl: URL, fileName: 'a.pdf', text: 'Here', location: null });

    expect(contentOf(body)).toEqual({ text: 'Here', media: { mediaId: null, url: URL, fileName: 'a.pdf' } });
    expect(contentOf(await read({ text: 'Hello', previewUrl: false }))).toEqual({ text: 'Hello' });
  });
});
