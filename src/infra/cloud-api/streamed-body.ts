import { randomUUID } from 'node:crypto';

/** A streamed request body: `bytes` is its exact length; `chunks` is called once, on sending. */
export interface StreamedBody {
  contentType: string;
  bytes: number;
  chunks: () => AsyncIterable<Uint8Array>;
}

/** A file in a multipart form. */
export interface FilePart extends StreamedBody {
  field: string;
  fileName: string;
}

/** Creates a multipart form of text fields followed by one file. */
export function multipartForm(fields: Readonly<Record<string, string>>, file: FilePart): StreamedBody {
  const boundary = `form-${randomUUID()}`;
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = Buffer.from(
    `${parts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="${file.field}"; ` +
      `filename="${quotable(file.fileName)}"\r\nContent-Type: ${file.contentType}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: head.length + file.bytes + tail.length,
    async *chunks() {
      yield head;
      yield* file.chunks();
      yield tail;
    },
  };
}

/** Escapes quotes and line breaks as browsers do. */
function quotable(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
