import type { Client } from '../process/client';
import { type Service, until } from '../process/service';
import type { Platform } from '../process/platform';
import { inboundOf, postWebhook } from '../process/webhook';

let next = 4915_177_340_000;

/** A new number; its last digits make the sandbox deliver everything. */
export function newPhone(): string {
  return `${(next += 1)}10`.slice(0, 15);
}

/** A person writes on the platform, which reports it to the service and then accepts replies. */
export async function writesOn(platform: Platform, from: string, text: string): Promise<void> {
  const body = JSON.stringify({ from, text, name: `+${from}` });
  const answer = await fetch(`${platform.url}/sandbox/inbound`, { method: 'POST', body });
  if (!answer.ok) throw new Error(`The platform refused it: ${await answer.text()}`);
}

/** Reports an inbound message to the service, by phone number. */
export async function writes(service: Pick<Service, 'url'>, from: string, text: string): Promise<void> {
  const answer = await postWebhook(service, inboundOf(from, { type: 'text', text: { body: text } }, `+${from}`));
  if (!answer.ok) throw new Error(`The webhook was refused: ${await answer.text()}`);
}

/** A new contact with a name, who writes; resolves with the number once the conversation exists. */
export async function contactWrites(
  { client, platform }: { client: Client; platform: Platform },
  name: string,
  text: string,
  phone = newPhone(),
): Promise<string> {
  await client.post('/contacts', { phone, name });
  await writesOn(platform, phone, text);
  await until(
    async () => (await client.get(`/conversations?search=${phone}`)).body.items.length === 1,
    10_000,
    'the message has arrived',
  );
  return phone;
}
