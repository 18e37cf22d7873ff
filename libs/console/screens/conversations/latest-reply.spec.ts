import type { ConversationMessageDto } from '../../../client/generated/types.gen';
import { latestReply } from './latest-reply';

describe('The latest reply', () => {
  const message = (id: string, change: Partial<ConversationMessageDto> = {}) =>
    ({ id, type: 'Text', jobId: null, ...change }) as ConversationMessageDto;
  const sentBy = { keyId: 'k-1', keyName: 'Ana' };
  const messages = [
    ...[message('6'), message('5', { sentBy, type: 'Reaction' }), message('4', { sentBy, jobId: 'j-1' })],
    ...[message('3', { sentBy }), message('2', { sentBy }), message('1')],
  ];

  it('is the newest one that has arrived, not a message of a person or a job, nor a reaction', () => {
    expect(latestReply(messages, '1')?.id).toBe('3');
    expect(latestReply(messages, '3')).toBeUndefined();
  });

  it('is not one that failed', () => {
    const failed = [message('3', { sentBy, status: 'Failed' }), message('2', { sentBy }), message('1')];
    expect(latestReply(failed, '1')?.id).toBe('2');
    expect(latestReply(failed, '2')).toBeUndefined();
  });

  it('is none of the messages that are loaded first', () => {
    expect(latestReply(messages, undefined)).toBeUndefined();
  });
});
