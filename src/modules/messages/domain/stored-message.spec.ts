import { type StoredMessage, shownContent, statusHistory } from './stored-message';

const at = (second: number) => new Date(Date.UTC(2026, 0, 15, 9, 30, second));

function message(changes: Partial<StoredMessage>): StoredMessage {
  return {
    ...{
      id: 'm',
      accountId: 'a',
      conversationId: 'c',
      senderId: 's',
      direction: 'Outbound',
      type: 'Text',
      contactPhone: '49',
    },
    ...{ userId: null, templateName: null, languageCode: null, revisionId: null, parameters: null, extras: null },
    ...{ content: null, status: 'Queued', problem: null, platformMessageId: null, reference: null, jobId: null },
    acceptance: null,
    pricing: null,
    ...{ rowNumber: null, createdAt: at(0), sentAt: null, deliveredAt: null, readAt: null, failedAt: null },
    ...changes,
  };
}

const words = (changes: Partial<StoredMessage>) =>
  statusHistory(message(changes)).map(({ status, at: time }) => [status, time?.getUTCSeconds() ?? null]);

describe('The status history of a message', () => {
  it('begins when it was queued and ends with its current status', () => {
    expect(words({})).toEqual([['Queued', 0]]);
    expect(words({ status: 'Sent', sentAt: at(1) })).toEqual([
      ['Queued', 0],
      ['Sent', 1],
    ]);
    expect(words({ status: 'Read', sentAt: at(1), deliveredAt: at(2), readAt: at(3) })).toEqual([
      ['Queued', 0],
      ['Sent', 1],
      ['Delivered', 2],
      ['Read', 3],
    ]);
  });

  it('is in chronological order, even if the platform clock is off', () => {
    expect(words({ status: 'Read', sentAt: at(4), deliveredAt: at(3), readAt: at(2) })).toEqual([
      ['Queued', 0],
      ['Sent', 4],
      ['Delivered', 4],
      ['Read', 4],
    ]);
  });

  it('distinguishes an undelivered message from one that was never accepted', () => {
    expect(words({ status: 'Failed', failedAt: at(1) })).toEqual([
      ['Queued', 0],
      ['Failed', 1],
    ]);
    expect(words({ status: 'Undelivered', sentAt: at(1), failedAt: at(9) })).toEqual([
      ['Queued', 0],
      ['Sent', 1],
      ['Undelivered', 9],
    ]);
  });

  it.each(['Unknown', 'Cancelled'] as const)('ends with %s, whose time is not recorded', (status) => {
    expect(words({ status })).toEqual([
      ['Queued', 0],
      [status, null],
    ]);
  });

  it('has one step for an inbound message, even after its read receipt', () => {
    expect(words({ direction: 'Inbound', status: 'Received', readAt: at(5) })).toEqual([['Received', 0]]);
  });
});

describe('The content of a message', () => {
  it('is the header media of a template, and the content of every other message', () => {
    expect(shownContent(message({ type: 'Template', extras: { id: '7' } }))).toEqual({ media: { mediaId: '7' } });
    expect(shownContent(message({ type: 'Template', extras: { link: 'https://a.example' } }))).toEqual({
      media: { mediaId: null, url: 'https://a.example' },
    });
    expect(shownContent(message({ content: { text: 'x' } }))).toEqual({ text: 'x' });
    expect(shownContent(message({ type: 'Template' }))).toBeNull();
  });
});
