import type { Conversation } from './conversation';
import { ConversationSearch } from './conversation-search';

describe(ConversationSearch, () => {
  it('finds a name or username without its accents', () => {
    const conversation = { contactPhone: null, state: null } as Conversation;
    const isFound = (text: string, name: string | null, username: string | null = null) =>
      new ConversationSearch(text, { whole: null, beginnings: [] }).matches(conversation, { name, username });
    expect(isFound('aydin', 'Aydın Groß')).toBe(true);
    expect(isFound('ÁYDIN GROSS', 'Aydın Groß')).toBe(true);
    expect(isFound('groß', null, '@GROSSE')).toBe(true);
    expect(isFound('mueller', 'Müller')).toBe(true);
    expect(isFound('müller', null, '@MUELLER')).toBe(true);
    expect(isFound('aydan', 'Aydın Groß')).toBe(false);
  });
});
