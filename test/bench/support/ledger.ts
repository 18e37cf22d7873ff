/** A message that the sandbox accepted. */
export interface LedgerEntry {
  seq: number;
  to: string;
  messageId: string;
  callbackData: string;
  at: string;
}

/** Everything that the sandbox has accepted so far, in order. */
export async function wholeLedger(sandboxUrl: string): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for (;;) {
    const response = await fetch(`${sandboxUrl}/sandbox/ledger?after=${entries.at(-1)?.seq ?? 0}`);
    const { items } = (await response.json()) as { items: LedgerEntry[] };
    if (items.length === 0) return entries;
    for (const item of items) entries.push(item);
  }
}

/** Acceptances per second, over `seconds`, starting `after` seconds after the first: by then the lanes are running. */
export async function heldRate(sandboxUrl: string, after: number, seconds: number): Promise<number> {
  const times = (await wholeLedger(sandboxUrl)).map(({ at }) => Date.parse(at));
  const from = times[0]! + after * 1000;
  return times.filter((time) => time >= from && time < from + seconds * 1000).length / seconds;
}
