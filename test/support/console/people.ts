import type { Service } from '../process/service';
import type { Platform } from '../process/platform';
import { inboundOf, postWebhook } from '../process/webhook';

let next = 4915_177_340_000;

/** A number that nobody has had; its last digits let everything arrive. */
export function newPhone(): string {
  return `${(next += 1)}10`.slice(0, 15);
}

/** Somebody writes on the platform, which brings it to the service and takes answers from then on. */
export async function writesOn(platform: Platform, from: string, text: string): Promise<void> {
  const body = JSON.stringify({ from, text, name: `+${from}` });
  const answer = await fetch(`${platform.url}/sandbox/inbound`, { method: 'POST', body });
  if (!answer.ok) throw new Error(`The platform refused it: ${await answer.text()}`);
}

/** The service is told that somebody wrote; they go by their number. */
export async function writes(service: Pick<Service, 'url'>, from: string, text: string): Promise<void> {
  const answer = await postWebhook(service, inboundOf(from, { type: 'text', text: { body: text } }, `+${from}`));
  if (!answer.ok) throw new Error(`The webhook was refused: ${await answer.text()}`);
}
