import { Readable } from 'node:stream';
import { sourceOf } from './local-files';

describe('A file to upload', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is standard input for -', async () => {
    jest.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([Buffer.from('phone\n1')]) as never);
    const file = await sourceOf('-');
    expect(await (file as File).text()).toBe('phone\n1');
  });

  it('is not a device, which can be read only once', async () => {
    await expect(sourceOf('/dev/null')).rejects.toThrow('"/dev/null" is not a file: pipe it, and write - instead.');
  });
});
