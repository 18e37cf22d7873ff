import { conversationId } from './conversation-id';

const ACCOUNT = '01a206d6-fa91-74db-a60c-a692b12896b9';

describe('The id of a conversation', () => {
  it('never changes, as stored rows contain it', () => {
    expect(conversationId(ACCOUNT, '4915112345678')).toBe('913395d7-76f4-8afb-a51b-8df2cbd61f5c');
    expect(conversationId(ACCOUNT, 'DE.1234567890')).toBe('290bede3-9925-84fa-84e6-400c43a624ed');
  });
});
