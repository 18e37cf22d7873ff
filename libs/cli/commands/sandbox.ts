import { EXIT, UsageError } from '../exit-codes';
import { type Session, webUrl } from '../session';

/** `messaging sandbox say <text>`: a person of the sandbox writes to the account. */
export async function say(session: Session, text: string, flags: { from: string; sandbox: string }): Promise<number> {
  const { signal } = session;
  const asked = fetch(new URL('/sandbox/inbound', webUrl(flags.sandbox)), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from: flags.from, text }),
    signal,
  });
  const response = await asked.catch(() => {
    signal.throwIfAborted();
    throw new UsageError(`No sandbox at ${flags.sandbox}: start the service with SANDBOX_PORT=4010, or set --sandbox.`);
  });
  const answer = (await response.json().catch(() => ({}))) as object;
  if (!response.ok) throw new Error(`The sandbox returned ${response.status}: ${JSON.stringify(answer)}`);
  session.out.result(answer, () => `${flags.from} wrote: ${text}`);
  return EXIT.done;
}
