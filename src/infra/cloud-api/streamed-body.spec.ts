import { multipartForm } from './streamed-body';

const fileOf = (fileName: string) => ({
  field: 'file',
  fileName,
  contentType: 'text/plain',
  bytes: 6,
  async *chunks() {
    yield await Promise.resolve(Buffer.from('abc'));
    yield Buffer.from('def');
  },
});

async function bytesOf(form: ReturnType<typeof multipartForm>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of form.chunks()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('A multipart form', () => {
  it('parses to its fields and file, and has the stated length', async () => {
    const form = multipartForm({ messaging_product: 'whatsapp', type: 'text/plain' }, fileOf('Grüße "1".txt'));
    const bytes = await bytesOf(form);
    expect(bytes).toHaveLength(form.bytes);

    const headers = { 'content-type': form.contentType };
    const read = await new Response(new Uint8Array(bytes), { headers }).formData();
    expect([read.get('messaging_product'), read.get('type')]).toEqual(['whatsapp', 'text/plain']);
    const file = read.get('file') as File;
    expect([file.name, file.type, await file.text()]).toEqual(['Grüße "1".txt', 'text/plain', 'abcdef']);
  });

  it('escapes line breaks in file names', async () => {
    const form = multipartForm({}, fileOf('a"\r\nContent-Type: text/html\r\n\r\nx'));
    expect((await bytesOf(form)).toString()).not.toMatch(/^Content-Type: text\/html/m);
  });
});
