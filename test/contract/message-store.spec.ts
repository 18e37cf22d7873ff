import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresMessageStore } from '../../src/modules/messages/adapters/postgres-message-store';
import type { MessageStatus, OutboundMessage, TemplateMessage } from '../../src/modules/messages/domain/message';
import type { MessageStore } from '../../src/modules/messages/domain/message-store.port';
import { SystemClock } from '../../src/infra/system-clock';
import { EngineDatabase } from '../fakes/engine-database';
import { SimulatedMessageStore } from '../simulation/simulated-message-store';
import { describeOnDatabase } from '../support/databases';

const AT = new Date('2026-11-20T19:15:00.000Z');
const PROBLEM = { code: 'recipient_unreachable', message: 'No "luck" \\ {here}, ü', platformCode: 131026 };

interface Shared {
  store: MessageStore;
  setStatus: (id: string, status: MessageStatus) => Promise<void>;
  times: (id: string) => Promise<{ sentAt: Date | null; failedAt: Date | null }>;
}

describe('MessageStore in memory', () => {
  messageStoreSuite(() => {
    const database = new EngineDatabase(new SystemClock());
    return Promise.resolve({
      store: new SimulatedMessageStore(database),
      setStatus: (id, status) => {
        const row = database.server.messages.row(id);
        row.committed = { ...row.committed!, status };
        return Promise.resolve();
      },
      times: (id) => {
        const { sentAt, failedAt } = database.server.messages.row(id).committed!;
        return Promise.resolve({ sentAt, failedAt });
      },
    });
  });
});

describeOnDatabase('MessageStore', (open) => {
  messageStoreSuite(async () => {
    const database = await open();
    return {
      store: new PostgresMessageStore(database),
      setStatus: async (id, status) => {
        await database.execute('UPDATE messages SET status = $2 WHERE id = $1', [id, status]);
      },
      times: async (id) => {
        const [row] = await database.rows<{ sentAt: Date | null; failedAt: Date | null }>(
          'SELECT sent_at AS "sentAt", failed_at AS "failedAt" FROM messages WHERE id = $1',
          [id],
        );
        return row!;
      },
    };
  });
});

function newMessage(changes: Partial<TemplateMessage> = {}): TemplateMessage {
  return {
    type: 'Template',
    id: uuidV7(),
    accountId: uuidV7(),
    senderId: uuidV7(),
    contactPhone: '4915112345678',
    contactUserId: null,
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

function messageStoreSuite(open: () => Promise<Shared>): void {
  let store: MessageStore;
  let setStatus: Shared['setStatus'];
  let times: Shared['times'];

  beforeAll(async () => {
    ({ store, setStatus, times } = await open());
  });

  async function found(id: string): Promise<OutboundMessage> {
    return (await store.find([id]))[0]!;
  }

  it('returns what was saved', async () => {
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

  it('returns free-form messages, to a number or a user id', async () => {
    const sent = {
      ...{
        accountId: uuidV7(),
        senderId: null,
        reference: 'ticket',
        jobId: null,
        rowNumber: null,
        problem: null,
        createdAt: AT,
      },
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

  it('updates only the outcome of an existing message', async () => {
    const message = newMessage({ status: 'Unknown' });
    await store.save([message], AT);
    const again = { ...message, contactPhone: '1', templateName: 'other', createdAt: new Date(0) };
    await store.save([{ ...again, status: 'Sent', platformMessageId: 'wamid.1' }], AT);

    expect(await found(message.id)).toEqual({ ...message, status: 'Sent', platformMessageId: 'wamid.1' });
  });

  it('keeps the platform id if an outcome has none', async () => {
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

  it('writes nothing for the outcome of an unknown message', async () => {
    const id = uuidV7();
    await store.setOutcomes([{ id, status: 'Sent', problem: null, platformMessageId: null }], AT);

    expect(await store.find([id])).toEqual([]);
  });

  it.each<MessageStatus>(['Delivered', 'Read', 'Undelivered'])(
    'never overwrites %s with an outcome',
    async (status) => {
      const message = newMessage({ status: 'Sent' });
      await store.save([message], AT);
      await setStatus(message.id, status);
      await store.save([{ ...message, status: 'Failed', problem: PROBLEM }], AT);
      await store.setOutcomes([{ id: message.id, status: 'Failed', problem: PROBLEM, platformMessageId: null }], AT);

      expect(await found(message.id)).toMatchObject({ status, problem: null });
    },
  );

  describe('The times of a message', () => {
    it('include when it was sent, set once', async () => {
      const message = newMessage({ status: 'Queued' });
      await store.save([message], AT);
      expect(await times(message.id)).toEqual({ sentAt: null, failedAt: null });

      await store.save([{ ...message, status: 'Sent' }], AT);
      await store.save([{ ...message, status: 'Sent' }], new Date());
      expect(await times(message.id)).toEqual({ sentAt: AT, failedAt: null });
    });

    it('include when it failed only while it is failed', async () => {
      const message = newMessage({ status: 'Failed', problem: PROBLEM });
      await store.save([message], AT);
      expect(await times(message.id)).toEqual({ sentAt: null, failedAt: AT });

      await store.setOutcomes([{ id: message.id, status: 'Sent', problem: null, platformMessageId: 'p' }], AT);
      expect(await times(message.id)).toEqual({ sentAt: AT, failedAt: null });
    });
  });
}
