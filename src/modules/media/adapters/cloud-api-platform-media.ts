import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CloudApiClient, type CloudApiRequest } from '../../../infra/cloud-api/cloud-api-client';
import type { CloudApiReply } from '../../../infra/cloud-api/cloud-api-reply';
import { multipartForm } from '../../../infra/cloud-api/streamed-body';
import type { Sender } from '../../accounts/domain/sender';
import { MediaPlatformUnavailableError, MediaRejectedError } from '../domain/media.errors';
import { type OutgoingFile, type PlatformFile, PlatformMedia, PlatformMediaError } from '../domain/platform-media.port';

/** Ids arrive as text or as numbers. */
const id = z.union([z.string().min(1).max(255), z.number().int().transform(String)]);
const uploadedSchema = z.object({ id });
/** An upload id may be followed by its signature, as a query. */
const sessionSchema = z.object({ id: z.string().regex(/^upload:[\w.~=+/%:?&-]{1,2000}$/) });
const handleSchema = z.object({ h: z.string().min(1).max(10_000) });
const tokenSchema = z.object({ data: z.object({ app_id: id }) });
const fileSchema = z.object({
  url: z.string(),
  mime_type: z.string().nullish(),
  sha256: z.string().nullish(),
  file_size: z.coerce.number().int().nonnegative().nullish().catch(null),
});

/** The platform's errors for unknown media, and for media whose file it no longer has. */
const OBJECT_UNKNOWN = 'object_unknown';
const UNAVAILABLE_CODE = 131052;

/** Files over the platform's HTTP API; they are streamed, never held in memory. */
@Injectable()
export class CloudApiPlatformMedia extends PlatformMedia {
  constructor(private readonly client: CloudApiClient) {
    super();
  }

  async upload(sender: Sender, file: OutgoingFile): Promise<string> {
    const fields = { messaging_product: 'whatsapp', type: file.mimeType };
    const content = multipartForm(fields, { field: 'file', fileName: file.fileName, ...bytesOf(file) });
    const path = `/${encodeURIComponent(sender.phoneNumberId)}/media`;
    return (await this.request(uploadedSchema, { method: 'POST', path, access: sender, content })).id;
  }

  /** The platform's resumable upload. It belongs to the app, whose id is read from the token. */
  async uploadExample(sender: Sender, file: OutgoingFile): Promise<string> {
    const { data } = await this.request(tokenSchema, {
      method: 'GET',
      path: '/debug_token',
      access: sender,
      query: { input_token: sender.accessToken },
    });
    const session = await this.request(sessionSchema, {
      method: 'POST',
      path: `/${encodeURIComponent(data.app_id)}/uploads`,
      access: sender,
      query: { file_name: file.fileName, file_length: String(file.size), file_type: file.mimeType },
    });
    const { h: handle } = await this.request(handleSchema, {
      method: 'POST',
      path: `/${session.id}`,
      access: sender,
      scheme: 'OAuth',
      headers: { file_offset: '0' },
      content: bytesOf(file),
    });
    return handle;
  }

  async find(sender: Sender, platformMediaId: string): Promise<PlatformFile> {
    const reply = await this.client.call({
      method: 'GET',
      path: `/${encodeURIComponent(platformMediaId)}`,
      access: sender,
      query: { phone_number_id: sender.phoneNumberId },
    });
    if (reply.kind === 'refusal') {
      const { code, message, problem } = reply.error;
      throw new PlatformMediaError(
        `${message} (code ${code})`,
        problem === OBJECT_UNKNOWN || code === UNAVAILABLE_CODE,
      );
    }
    if (reply.kind !== 'answer') throw new PlatformMediaError(`The platform did not answer: ${reply.reason}`, false);
    const file = fileSchema.safeParse(reply.body);
    if (!file.success) throw new PlatformMediaError('The media metadata has an unexpected format.', false);
    const { url, mime_type: mimeType, file_size: size, sha256 } = file.data;
    return { url, mimeType: mimeType ?? null, size: size ?? null, sha256: hexOf(sha256) };
  }

  async *download({ accessToken }: Sender, url: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const download = await this.client.download({ url, accessToken, signal });
    if (download.kind === 'failed')
      throw new PlatformMediaError(`The file could not be downloaded: ${download.reason}`, false);
    // An address is valid for minutes only: the next attempt gets a new one, or reports that the file no longer exists.
    if (download.kind === 'refused')
      throw new PlatformMediaError(`The platform refused the download with status ${download.status}`, false);
    try {
      yield* download.chunks;
    } catch (error) {
      throw new PlatformMediaError(`The download was interrupted: ${(error as Error).message}`, false);
    }
  }

  private async request<T>(schema: z.ZodType<T>, call: CloudApiRequest): Promise<T> {
    return contentOf(schema, await this.client.call(call));
  }
}

function bytesOf({ mimeType, size, content }: OutgoingFile) {
  return { contentType: mimeType, bytes: size, chunks: content };
}

function contentOf<T>(schema: z.ZodType<T>, reply: CloudApiReply): T {
  if (reply.kind === 'refusal') {
    const { class: errorClass, code, details, message } = reply.error;
    if (errorClass === 'throttle' || errorClass === 'outage') throw new MediaPlatformUnavailableError();
    throw new MediaRejectedError(`${details ?? message} (code ${code}).`, code);
  }
  const content = reply.kind === 'answer' ? schema.safeParse(reply.body) : null;
  if (!content?.success) throw new MediaPlatformUnavailableError();
  return content.data;
}

/** Normalises a hash to hex: the platform writes hex here and base64 in webhooks. null for anything else. */
function hexOf(sha256: string | null | undefined): string | null {
  if (!sha256) return null;
  if (/^[0-9a-f]{64}$/i.test(sha256)) return sha256.toLowerCase();
  return /^[A-Za-z0-9+/]{43}=$/.test(sha256) ? Buffer.from(sha256, 'base64').toString('hex') : null;
}
