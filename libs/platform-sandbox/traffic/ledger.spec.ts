import { Ledger, type MessageKind } from './ledger';

const kind: MessageKind = { phoneNumberId: '1', type: 'template', template: 't', language: 'de', category: 'utility' };

function filled(count: number, limit: number): Ledger {
  const ledger = new Ledger(() => limit);
  for (let number = 1; number <= count; number++) {
    const parameters = [`ä${number}`, 'x'.repeat(number % 700)];
    ledger.append({ kind, to: String(number), messageId: `wamid.${number}`, callbackData: null, parameters }, 1000);
  }
  return ledger;
}

describe('The ledger', () => {
  it('finds every entry by number across many pages', () => {
    const ledger = filled(20_000, 1_000_000);
    for (let number = 1; number <= 20_000; number += 7) {
      expect(ledger.read(number)?.entry).toMatchObject({ seq: number, to: String(number), template: 't' });
    }
    expect(ledger.read(0)).toBeUndefined();
    expect(ledger.read(20_001)).toBeUndefined();
  });

  it('returns a range as valid JSON', () => {
    const text = [...filled(5000, 1_000_000).jsonChunks(1000, 3000)].join('');
    const { items } = JSON.parse(text) as { items: { seq: number }[] };
    expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: 3000 }, (_, index) => 1001 + index));
  });

  it('drops the oldest pages beyond its limit and keeps at least that many of the newest entries', () => {
    const ledger = filled(30_000, 10_000);
    expect(ledger.firstSeq).toBeGreaterThan(1);
    expect(ledger.lastSeq - ledger.firstSeq + 1).toBeGreaterThanOrEqual(10_000);
    expect(ledger.lastSeq - ledger.firstSeq + 1).toBeLessThan(20_000);
    expect(ledger.read(ledger.firstSeq)?.entry.to).toBe(String(ledger.firstSeq));
    expect(ledger.read(1)).toBeUndefined();
  });

  it('keeps an entry that is larger than a page', () => {
    const ledger = filled(10, 100);
    const parameters = ['y'.repeat(2_000_000)];
    const seq = ledger.append({ kind, to: '1', messageId: 'w', callbackData: null, parameters }, 1);
    expect(ledger.read(seq)?.entry.parameters).toEqual(parameters);
    expect(ledger.read(5)?.entry.to).toBe('5');
  });
});
