import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresMessageStore } from '../../src/modules/messages/adapters/postgres-message-store';
import type { MessageStatus, OutboundMessage, TemplateMessage } from '../../src/modules/messages/domain/message';
import type { MessageStore } from '../../src/modules/messages/domain/message-store.port';
import { MemoryDatabase } from '../fakes/memory-database';
import { MessagesInMemory } from '../fakes/messages-in-memory';
import { describeOnDatabase } from '../support/databases';

const AT = new Date('2026-11-20T19:15:00.000Z');
const PROBLEM = { code: 'recipient_unreachable', message: 'No "luck" \\ {here}, ü', platformCode: 131026 };

interface Shared {
  store: MessageStore;
  setStatus: (id: string, status: MessageStatus) => Promise<void>;
  times: (id: string) => Promise<{ sent_at: Date | null; failed_at: Date | null }>;
}

describe('MessageStore in memory', () => {
  messageStoreSuite(() => {
    const database = new MemoryDatabase();
    return Promise.resolve({
      store: new MessagesInMemory(database),
      setStatus: (id, status) => {
        database.tables.messages.find((message) => message.id === id)!.status = status;
        return Promise.resolve();
      },
    });
  });
});

describeOnDatabase('MessageStore', (open) => {
  const shared = async (): Promise<Shared> => {
    const database = await open();
    return {
      store: new PostgresMessageStore(database),
      setStatus: async (id, status) => {
        await database.execute('UPDATE messages SET status = $2 WHERE id = $1', [id, status]);
      },
      times: async (id) => {
        const [row] = await database.rows<{ sent_at: Date | null; failed_at: Date | null }>(
          'SELECT sent_at, failed_at FROM messages WHERE id = $1',
          [id],
        );
        return row!;
      },
    };
  };
  messageStoreSuite(shared);

  describe('The times of a message', () => {
    let tables: Shared;
    beforeAll(async () => {
      tables = await shared();
    });

    it('say when it was sent, and once', async () => {
      const message = newMessage({ status: 'Queued' });
      await tables.store.save([message], AT);
      expect(await tables.times(message.id)).toEqual({ sent_at: null, failed_at: null });

      await tables.store.save([{ ...message, status: 'Sent' }], AT);
      await tables.store.save([{ ...message, status: 'Sent' }], new Date());
      expect(await tables.times(message.id)).toEqual({ sent_at: AT, failed_at: null });
    });

    it('say when it failed only while it is failed', async () => {
      const message = newMessage({ status: 'Failed', problem: PROBLEM });
      await tables.store.save([message], AT);
      expect(await tables.times(message.id)).toEqual({ sent_at: null, failed_at: AT });

      await tables.store.setOutcomes([{ id: message.id, status: 'Sent', problem: null, platformMessageId: 'p' }], AT);
      expect(await tables.times(message.id)).toEqual({ sent_at: AT, failed_at: null });
    });
  });
});

function newMessage(changes: Partial<TemplateMessage> = {}): TemplateMessage {
  return {
    type: 'Template',
    id: uuidV7(),
    accountId: uuidV7(),
    contactPhone: '4915112345678',
    templateName: 'promo',
    languageCode: 'en_US',
    revisionId: uuidV7(),
    parameters: ['Mira "M"', '', 'ü {1}'],
    extras: null,
    reference: null,
    jobId: null,
    rowNumber: null,
    status: 'Queued',
    problem: null,
    platformMessageId: null,
    createdAt: AT,
    ...changes,
  };
}

function messageStoreSuite(open: () => Promise<Omit<Shared, 'times'>>): void {
  let store: MessageStore;
  let setStatus: Shared['setStatus'];

  beforeAll(async () => {
    ({ store, setStatus } = await open());
  });

  async function found(id: string): Promise<OutboundMessage> {
    return (await store.find([id]))[0]!;
  }

  it('gives back what was saved', async () => {
    const plain = newMessage();
    const full = newMessage({
      extras: { link: 'https://example.com/a.png' },
      reference: 'spring',
      jobId: uuidV7(),
      rowNumber: 7,
      status: 'Failed',
      problem: PROBLEM,
      platformMessageId: 'wamid.1',
    });
    await store.save([plain, full], AT);

    expect(await found(plain.id)).toEqual(plain);
    expect(await found(full.id)).toEqual(full);
    expect(await store.find([uuidV7()])).toEqual([]);
  });

  it('gives back what was written freely, to a number or to a user id', async () => {
    const sent = {
      ...{ accountId: uuidV7(), reference: 'ticket', jobId: null, rowNumber: null, problem: null, createdAt: AT },
      ...{ status: 'Sent' as const, platformMessageId: 'wamid.7' },
    };
    const text: OutboundMessage = {
      ...{ ...sent, id: uuidV7(), type: 'Text', contactPhone: '4915112345678', contactUserId: 'DE.7' },
      content: { text: 'ü "1"', previewUrl: true, replyTo: 'wamid.1' },
    };
    const place: OutboundMessage = {
      ...{ ...sent, id: uuidV7(), type: 'Location', contactPhone: null, contactUserId: 'DE.7' },
      content: { location: { latitude: -1.5, longitude: 180 } },
    };
    await store.save([text, newMessage(), place], AT);

    expect([await found(text.id), await found(place.id)]).toEqual([text, place]);
  });

  it('takes only the outcome of a message that is there already', async () => {
    const message = newMessage({ status: 'Unknown' });
    await store.save([message], AT);
    const again = { ...message, contactPhone: '1', templateName: 'other', createdAt: new Date(0) };
    await store.save([{ ...again, status: 'Sent', platformMessageId: 'wamid.1' }], AT);

    expect(await found(message.id)).toEqual({ ...message, status: 'Sent', platformMessageId: 'wamid.1' });
  });

  it('keeps the id of the platform when an outcome comes without one', async () => {
    const message = newMessage({ status: 'Sent', platformMessageId: 'wamid.1' });
    await store.save([message], AT);
    await store.save([{ ...message, platformMessageId: null }], AT);
    await store.setOutcomes([{ id: message.id, status: 'Sent', problem: null, platformMessageId: null }], AT);

    expect(await found(message.id)).toMatchObject({ platformMessageId: 'wamid.1' });
  });

  it('sets and clears problems with the outcome', async () => {
    const message = newMessage();
    await store.save([message], AT);

    await store.setOutcomes([{ id: message.id, status: 'Failed', problem: PROBLEM, platformMessageId: null }], AT);
    expect(await found(message.id)).toMatchObject({ status: 'Failed', problem: PROBLEM });

    await store.setOutcomes([{ id: message.id, status: 'Sent', problem: null, platformMessageId: 'wamid.2' }], AT);
    expect(await found(message.id)).toMatchObject({ status: 'Sent', problem: null, platformMessageId: 'wamid.2' });
  });

  it('writes nothing for an outcome of a message that is not there', async () => {
    const id = uuidV7();
    await store.setOutcomes([{ id, status: 'Sent', problem: null, platformMessageId: null }], AT);

    expect(await store.find([id])).toEqual([]);
  });

  it.each<MessageStatus>(['Delivered', 'Read'])('never puts an outcome over %s', async (status) => {
    const message = newMessage({ status: 'Sent' });
    await store.save([message], AT);
    await setStatus(message.id, status);
    await store.save([{ ...message, status: 'Failed', problem: PROBLEM }], AT);
    await store.setOutcomes([{ id: message.id, status: 'Failed', problem: PROBLEM, platformMessageId: null }], AT);

    expect(await found(message.id)).toMatchObject({ status, problem: null });
  });
}
