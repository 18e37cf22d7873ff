import { type LiveEvent, type Listener, Topic } from './topic';

class Reader implements Listener {
  isReady = true;
  ended = false;
  received = '';

  send(text: string): void {
    this.received += text;
  }

  end(): void {
    this.ended = true;
  }

  /** Everything received since the last call. */
  read(): string {
    const { received } = this;
    this.received = '';
    return received;
  }
}

const stateOf = (...values: string[]): Map<string, LiveEvent> =>
  new Map(values.map((value) => [value[0]!, { id: value, text: `${value} ` }]));

describe('A topic', () => {
  const start = (lastId: string | null = null) => {
    const topic = new Topic();
    const reader = new Reader();
    topic.add(reader, lastId);
    return { topic, reader };
  };

  it('sends the whole state first, then only changes', () => {
    const { topic, reader } = start();
    topic.update(stateOf('a1', 'b1'));
    expect(reader.read()).toBe('a1 b1 ');
    topic.update(stateOf('a1', 'b1'));
    expect(reader.read()).toBe('');
    topic.update(stateOf('a1', 'b2', 'c1'));
    expect(reader.read()).toBe('b2 c1 ');
    topic.update(stateOf('b2', 'c1'), stateOf('a0'));
    expect(reader.read()).toBe('a0 ');
  });

  it('resends an event known from a previous connection after a different one', () => {
    const { topic, reader } = start('a1');
    for (const value of ['a1', 'a2', 'a1']) topic.update(stateOf(value));
    expect(reader.read()).toBe('a2 a1 ');
  });

  it('does not repeat the event known from a previous connection', () => {
    const { topic, reader } = start('a1');
    topic.update(stateOf('a1'));
    expect(reader.read()).toBe('');
    topic.update(stateOf('a2'));
    expect(reader.read()).toBe('a2 ');
  });

  it('sends a slow listener only the latest event of each key, once it is ready', () => {
    const { topic, reader } = start();
    topic.update(stateOf('a1', 'b1'));
    reader.read();
    reader.isReady = false;
    topic.update(stateOf('a2', 'b1'));
    topic.update(stateOf('a3', 'b1'));
    expect(reader.read()).toBe('');
    reader.isReady = true;
    topic.update(stateOf('a3', 'b1'));
    expect(reader.read()).toBe('a3 ');
    topic.update(stateOf('a3', 'b1'));
    expect(reader.read()).toBe('');
  });

  it('sends removals to a slow listener once it is ready, unless the key has returned', () => {
    const { topic, reader } = start();
    topic.update(stateOf('a1', 'b1', 'c1'));
    reader.read();
    reader.isReady = false;
    topic.update(stateOf('c1'), stateOf('a0', 'b0'));
    topic.update(stateOf('b1', 'c1'));
    reader.isReady = true;
    topic.update(stateOf('b1', 'c1'));
    expect(reader.read()).toBe('a0 b1 ');
  });

  it('sends the whole state to a listener that joined before it was ready', () => {
    const { topic, reader } = start();
    reader.isReady = false;
    topic.update(stateOf('a1', 'b1'));
    topic.update(stateOf('a2', 'b1'));
    reader.isReady = true;
    topic.update(stateOf('a2', 'b1'));
    expect(reader.read()).toBe('a2 b1 ');
  });

  it('sends the whole state to a listener that joins later', () => {
    const { topic } = start();
    topic.update(stateOf('a1', 'b1'));
    const later = new Reader();
    topic.add(later, null);
    topic.update(stateOf('a1', 'b2'));
    expect(later.read()).toBe('a1 b2 ');
  });

  it('ends a slow listener after it has read everything', () => {
    const { topic, reader } = start();
    topic.update(stateOf('s1'));
    reader.read();
    const last = new Map([...stateOf('s2'), ['end', { id: 'end', text: 'end ', isLast: true }]]);
    reader.isReady = false;
    topic.update(last);
    topic.update(last);
    expect([reader.read(), reader.ended]).toEqual(['', false]);
    reader.isReady = true;
    topic.update(last);
    expect([reader.read(), reader.ended]).toEqual(['s2 end ', true]);
  });

  it('ends after the last event, even for a listener that already has it', () => {
    const state = new Map([['a', { id: 'end', text: 'end ', isLast: true }]]);
    const { topic, reader } = start();
    const other = new Reader();
    topic.add(other, 'end');
    topic.update(state);
    expect([reader.read(), reader.ended, other.read(), other.ended]).toEqual(['end ', true, '', true]);
  });
});
