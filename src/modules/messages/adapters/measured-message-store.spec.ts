import { Registry } from 'prom-client';
import type { UnitOfWork } from '../../../kernel/unit-of-work';
import type { MessageOutcome } from '../domain/message';
import type { MessageStore } from '../domain/message-store.port';
import { MeasuredMessageStore } from './measured-message-store';

const outcome = (status: MessageOutcome['status'], code?: string): MessageOutcome => ({
  id: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12',
  status,
  problem: code === undefined ? null : { code, message: 'No.', platformCode: null },
  platformMessageId: null,
});

describe('MeasuredMessageStore', () => {
  let registry: Registry;
  let commit: () => void;
  let store: MeasuredMessageStore;
  const at = new Date();

  beforeEach(() => {
    registry = new Registry();
    const actions: (() => void)[] = [];
    commit = () => actions.splice(0).forEach((action) => action());
    const unitOfWork = { afterCommit: (action: () => void) => actions.push(action) } as unknown as UnitOfWork;
    const inner = { setOutcomes: () => Promise.resolve() } as unknown as MessageStore;
    store = new MeasuredMessageStore(inner, unitOfWork, registry);
  });

  it('counts outcomes of messages, failures by their code', async () => {
    await store.setOutcomes(
      [outcome('Sent'), outcome('Sent'), outcome('Unknown'), outcome('Queued'), outcome('Failed', 'outcome_unknown')],
      at,
    );
    await store.setOutcomes([outcome('Cancelled', 'cancelled'), outcome('Failed', 'outcome_unknown')], at);
    commit();
    const figures = await registry.metrics();
    expect(figures).toContain('messaging_messages_accepted_total 2');
    expect(figures).toContain('messaging_messages_unknown_total 1');
    expect(figures).toContain('messaging_messages_failed_total{code="outcome_unknown"} 2');
    expect(figures).toContain('messaging_messages_failed_total{code="cancelled"} 1');
  });

  it('counts nothing when a transaction does not commit', async () => {
    await store.setOutcomes([outcome('Sent')], at);
    expect(await registry.metrics()).toContain('messaging_messages_accepted_total 0');
  });
});
