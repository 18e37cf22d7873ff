import { type LiveEvent, type Listener, Topic } from './topic';

class Reader implements Listener {
  isReady = true;
  ended = false;
  got = '';

  send(text: string): void {
    this.got += text;
  }

  end(): void {
    this.ended = true;
  }

  /** What it got since the last call. */
  read(): string {
    const { got } = this;
    this.got = '';
    return got;
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

  it('tells the whole state first, and then only what changed', () => {
    const { topic, reader } = start();
    topic.update(stateOf('a1', 'b1'));
    expect(reader.read()).toBe('a1 b1 ');
    topic.update(stateOf('a1', 'b1'));
    expect(reader.read()).toBe('');
    topic.update(stateOf('a1', 'b2', 'c1'));
    expect(reader.read()).toBe('b2 c1 ');
    topic.update(stateOf('b2', 'c1'), [{ id: 'a0', text: 'a0 ' }]);
    expect(reader.read()).toBe('a0 ');
  });

  it('does not repeat the event that a listener already has from another connection', () => {
    const { topic, reader } = start('a1');
    topic.update(stateOf('a1'));
    expect(reader.read()).toBe('');
    topic.update(stateOf('a2'));
    expect(reader.read()).toBe('a2 ');
  });

  it('skips who does not read, and tells the state of the moment at which everything was read', () => {
    const { topic, reader } = start();
    topic.update(stateOf('a1', 'b1'));
    reader.read();
    reader.isReady = false;
    topic.update(stateOf('a2', 'b1'));
    topic.update(stateOf('a3', 'b1'));
    expect(reader.read()).toBe('');
    reader.isReady = true;
    topic.update(stateOf('a3', 'b1'));
    expect(reader.read()).toBe('a3 b1 ');
  });

  it('ends behind its last event, also for who has that already', () => {
    const state = new Map([['a', { id: 'end', text: 'end ', isLast: true }]]);
    const { topic, reader } = start();
    const other = new Reader();
    topic.add(other, 'end');
    topic.update(state);
    expect([reader.read(), reader.ended, other.read(), other.ended]).toEqual(['end ', true, '', true]);
  });
});
