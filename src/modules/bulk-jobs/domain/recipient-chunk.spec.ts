import { uuidTime } from '../../../kernel/uuid';
import { RecipientChunk } from './recipient-chunk';

describe('RecipientChunk', () => {
  it('creates message ids with the given time, in the order of the recipients', () => {
    const createdAt = new Date('2026-01-15T09:30:00.000Z');
    const chunk = new RecipientChunk(1, createdAt);
    for (let row = 1; row <= 500; row++) chunk.add({ rowNumber: row, phone: `${row}`, values: [] }, null);
    expect(new Set(chunk.messageIds.map((id) => uuidTime(id).getTime()))).toEqual(new Set([createdAt.getTime()]));
    expect([...chunk.messageIds].sort()).toEqual(chunk.messageIds);
  });
});
