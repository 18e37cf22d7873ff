import { ReadingSlots } from './reading-slots';

describe('ReadingSlots', () => {
  it('lets in as many as there are slots, and the next one when one leaves', async () => {
    const slots = new ReadingSlots(2);
    const inside: string[] = [];
    const enter = (name: string) => slots.take().then(() => inside.push(name));
    await Promise.all([enter('a'), enter('b')]);
    const late = [enter('c'), enter('d')];
    await new Promise(setImmediate);
    expect(inside).toEqual(['a', 'b']);
    slots.giveBack();
    await late[0];
    expect(inside).toEqual(['a', 'b', 'c']);
    slots.giveBack();
    await late[1];
    slots.giveBack();
    await enter('e');
    expect(inside).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});
