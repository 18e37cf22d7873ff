import { EngineInMemory } from '../../../../test/fakes/engine-in-memory';

describe('Single sends for which the messaging tier has no room', () => {
  const HELD = 800;
  let engine: EngineInMemory;

  beforeEach(async () => {
    engine = new EngineInMemory();
    engine.sender = { ...engine.sender, messagingTier: '250' };
    const at = engine.clock.now().getTime();
    for (let n = 0; n < 250; n++) {
      const person = `49152${String(n).padStart(8, '0')}`;
      engine.database.server.conversations.put(`2 ${person}`, { portfolioId: '2', person, at, messageId: null });
    }
    for (let n = 0; n < HELD; n++) await engine.addSingle(`49160${String(n).padStart(8, '0')}`);
  });

  afterEach(() => engine.stop());

  const heldNow = () => engine.database.tables.singleSends.filter(({ needsRoom }) => needsRoom).length;

  it('never delay those that need none: messages to people in the window and replies are sent within 2 s', async () => {
    engine.start();
    const known = '4915200000007';
    const writer = '4917000000001';
    await engine.addSingle(known);
    await engine.addSingle(writer, 'Thank you!');
    const left = (): boolean => [known, writer].every((to) => engine.platform.arrivalsOf(to).length === 1);

    await engine.until(left, 2000);
    await engine.until(() => heldNow() === HELD, 2000);
    expect(engine.platform.arrivals).toHaveLength(2);
  }, 30_000);

  it('retry in batches of hundreds, one statement each, and are sent when there is room', async () => {
    engine.start();
    await engine.until(() => heldNow() === HELD, 5000);
    await engine.advance(2000);
    let saves = 0;
    const statement = engine.database.statement.bind(engine.database);
    jest.spyOn(engine.database, 'statement').mockImplementation((name, work) => {
      if (name === 'SAVE_SINGLES') saves++;
      return statement(name, work);
    });
    await engine.advance(610_000);
    // They were delayed by one or two rounds, and the sends of each round retry together.
    expect(saves).toBeGreaterThan(0);
    expect(saves).toBeLessThanOrEqual(2 * Math.ceil(HELD / 500));

    engine.database.server.conversations.rows.clear();
    await engine.advance(620_000);
    expect(engine.platform.arrivals).toHaveLength(250);
  }, 60_000);
});
