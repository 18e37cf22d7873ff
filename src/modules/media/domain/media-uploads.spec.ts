import { ManualClock } from '../../../../test/fakes/manual-clock';
import type { SendersService } from '../../accounts/domain/senders.service';
import { SAMPLE_FILES } from '../fixtures/sample-files';
import { type ClientFile, MediaUploads } from './media-uploads';
import type { OutgoingFile, PlatformMedia } from './platform-media.port';

const OFFICE = 'application/vnd.openxmlformats-officedocument.';
type Sample = keyof typeof SAMPLE_FILES;

describe('An upload', () => {
  const uploaded: OutgoingFile[] = [];
  const sender = { phoneNumberId: '109' };
  const uploads = new MediaUploads(
    { ofAccount: () => Promise.resolve(sender) } as unknown as SendersService,
    {
      upload: (_: unknown, file: OutgoingFile) => Promise.resolve(`media ${uploaded.push(file)}`),
      uploadExample: (_: unknown, file: OutgoingFile) => Promise.resolve(`handle ${uploaded.push(file)}`),
    } as unknown as PlatformMedia,
    new ManualClock(new Date('2026-11-20T12:00:00Z')),
  );
  const upload = (
    sample: Sample,
    file: Partial<ClientFile> = {},
    purpose: 'Message' | 'TemplateExample' = 'Message',
  ) => {
    const head = SAMPLE_FILES[sample];
    const content = () => emptyContent();
    return uploads.upload('account', purpose, {
      fileName: 'file',
      declaredType: null,
      size: head.length,
      ends: { head, tail: head },
      content,
      ...file,
    });
  };
  async function* emptyContent(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.of());
  }

  beforeEach(() => uploaded.splice(0));

  it.each<[Sample, string, string]>([
    ['jpeg', 'image', 'image/jpeg'],
    ['png', 'image', 'image/png'],
    ['sticker', 'sticker', 'image/webp'],
    ['animatedSticker', 'sticker', 'image/webp'],
    ['pdf', 'document', 'application/pdf'],
    ['docx', 'document', `${OFFICE}wordprocessingml.document`],
    ['xlsx', 'document', `${OFFICE}spreadsheetml.sheet`],
    ['pptx', 'document', `${OFFICE}presentationml.presentation`],
    ['text', 'document', 'text/plain'],
    ['amr', 'audio', 'audio/amr'],
    ['opus', 'audio', 'audio/ogg'],
    ['m4a', 'audio', 'audio/mp4'],
    ['mp3WithoutTag', 'audio', 'audio/mpeg'],
    ['aac', 'audio', 'audio/aac'],
    ['threeGp', 'video', 'video/3gpp'],
  ])('of a %s needs no declared type', async (sample, kind, mimeType) => {
    expect(await upload(sample)).toMatchObject({ kind, mimeType, mediaId: 'media 1' });
    expect(uploaded).toMatchObject([{ mimeType, size: SAMPLE_FILES[sample].length }]);
  });

  it.each<[Sample, string, string]>([
    ['mp4', 'clip.MP4', 'video/mp4'],
    ['mp4', 'voice.m4a', 'audio/mp4'],
    ['mp3', 'song.mp3', 'audio/mpeg'],
    ['legacyOffice', 'letter.doc', 'application/msword'],
    ['legacyOffice', 'sheet.xls', 'application/vnd.ms-excel'],
  ])('of a %s named %s is typed by its extension', async (sample, fileName, mimeType) => {
    expect(await upload(sample, { fileName })).toMatchObject({ mimeType });
    expect(await upload(sample, { fileName, declaredType: 'application/octet-stream' })).toMatchObject({ mimeType });
  });

  it.each<[Sample, string, string]>([
    ['mp4', 'audio/mp4', 'audio/mp4'],
    ['mp4', 'video/mp4; codecs=avc1', 'video/mp4'],
    ['legacyOffice', 'application/vnd.ms-powerpoint', 'application/vnd.ms-powerpoint'],
    ['jpeg', 'IMAGE/JPG', 'image/jpeg'],
    ['mp3', 'audio/aac', 'audio/aac'],
  ])('of a %s has its declared type if the bytes allow it: %s', async (sample, declaredType, mimeType) => {
    expect(await upload(sample, { declaredType })).toMatchObject({ mimeType });
  });

  it.each<[Sample, string | null]>([
    ['zip', null],
    ['zip', 'application/zip'],
    ['docx', 'application/zip'],
    ['vorbis', 'audio/ogg'],
    ['quicktime', 'video/mp4'],
    ['heic', null],
    ['gif', 'image/gif'],
    ['wave', null],
    ['program', 'text/plain'],
    ['latin1Text', 'text/plain'],
    ['text', 'text/html'],
  ])('of a %s as %s is rejected as unsupported', async (sample, declaredType) => {
    await expect(upload(sample, { declaredType })).rejects.toMatchObject({
      code: 'unsupported_file_type',
      message: expect.stringMatching(/^The platform does not support this file\. It supports audio\/aac, /),
    });
    expect(uploaded).toEqual([]);
  });

  it('is rejected if bytes and declared type contradict each other', async () => {
    await expect(upload('jpeg', { declaredType: 'image/png' })).rejects.toMatchObject({
      code: 'unsupported_file_type',
      message: 'The file is declared as image/png, but its content is image/jpeg. Declare its actual type.',
    });
    await expect(upload('text', { declaredType: 'application/pdf' })).rejects.toMatchObject({
      code: 'unsupported_file_type',
    });
  });

  it('requires a declared type if bytes and name are ambiguous', async () => {
    await expect(upload('legacyOffice', { fileName: 'letter' })).rejects.toMatchObject({
      code: 'unsupported_file_type',
      message: expect.stringMatching(/^The type of the file is ambiguous\. .*application\/msword or /),
    });
  });

  it.each<[Sample, number]>([
    ['opus', 16 * 1024 * 1024],
    ['pdf', 100 * 1024 * 1024],
    ['png', 5 * 1024 * 1024],
    ['sticker', 100 * 1024],
    ['animatedSticker', 500 * 1024],
    ['threeGp', 16 * 1024 * 1024],
  ])('of a %s may have at most %i bytes', async (sample, limit) => {
    await expect(upload(sample, { size: limit })).resolves.toBeDefined();
    await expect(upload(sample, { size: limit + 1 })).rejects.toMatchObject({
      code: 'file_too_large',
      extra: { limit },
    });
  });

  it('of an empty file is rejected', async () => {
    const ends = { head: Buffer.of(), tail: Buffer.of() };
    await expect(upload('text', { size: 0, ends })).rejects.toMatchObject({ code: 'file_empty' });
  });

  it('for a message expires after 30 days', async () => {
    const media = await upload('jpeg');
    expect([media.handle, media.expiresAt]).toEqual([null, new Date('2026-12-20T12:00:00Z')]);
  });

  it('for a template example returns a handle and accepts only types of media headers', async () => {
    expect(await upload('pdf', {}, 'TemplateExample')).toEqual({
      mediaId: null,
      handle: 'handle 1',
      kind: 'document',
      mimeType: 'application/pdf',
      expiresAt: null,
    });
    await expect(upload('opus', {}, 'TemplateExample')).rejects.toMatchObject({
      message:
        'The platform does not support this file. It supports image/jpeg, image/png, video/mp4, application/pdf.',
    });
  });
});
