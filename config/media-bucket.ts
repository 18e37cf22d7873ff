import { z } from 'zod';

const ALLOWED =
  's3://bucket/prefix, or s3://key:secret@bucket?endpoint=https://storage.example.com&region=eu-central-1';
const endpointUrl = z.url({ protocol: /^https?$/ }).optional();

/** A bucket: `s3://bucket/prefix`, with credentials, endpoint and region where they are not those of the machine and of AWS. */
export const mediaBucket = z.url({ protocol: /^s3$/, error: ALLOWED }).transform((text, context) => {
  const url = new URL(text);
  const [accessKeyId, secretAccessKey] = [decoded(url.username), decoded(url.password)];
  const endpoint = endpointUrl.safeParse(url.searchParams.get('endpoint') ?? undefined);
  if (!endpoint.success || url.hostname === '' || (accessKeyId === '') !== (secretAccessKey === '')) {
    context.addIssue({ code: 'custom', message: ALLOWED });
    return z.NEVER;
  }
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  return {
    name: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    ...(endpoint.data !== undefined && { endpoint: endpoint.data }),
    ...(accessKeyId !== '' && { credentials: { accessKeyId, secretAccessKey } }),
  };
});

/** Without percent-encoding; text that is not encoded stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
