import { EngineInMemory } from '../../../../test/fakes/engine-in-memory';

describe('Single sends for which the messaging tier has no room', () => {
  const HELD = 800;
  let engine: EngineInMemory;

  beforeEach(async () => {
    engine = new EngineInMemory();
    engine.sender = { ...engine.sender, messagingTier: '250' };
    const at = engine.clock.now();
    for (let n = 0; n < 250; n++) {
      const person = `49152${String(n).padStart(8, '0')}`;
      engine.database.tables.conversations.push({ portfolioId: '2', person, at, messageId: null });
    }
    for (let n = 0; n < HELD; n++) await engine.addSingle(`49160${String(n).padStart(8, '0')}`);
  });

  afterEach(() => engine.stop());

  const heldNow = () => engine.database.tables.singleSends.filter(({ needsRoom }) => needsRoom).length;

  it('never delay those that need none: people of the window and replies leave within 2 s', async () => {
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

  it('ask again in hundreds, with one statement for each of these, and leave when there is room', async () => {
    engine.start();
    await engine.until(() => heldNow() === HELD, 5000);
    await engine.advance(2000);
    let saves = 0;
    const call = engine.database.call.bind(engine.database);
    jest.spyOn(engine.database, 'call').mockImplementation((name, work) => {
      if (name === 'saveSingles') saves++;
      return call(name, work);
    });
    await engine.advance(610_000);
    // They came to wait in one or two rounds, and each round asks again by itself.
    expect(saves).toBeGreaterThan(0);
    expect(saves).toBeLessThanOrEqual(2 * Math.ceil(HELD / 500));

    engine.database.tables.conversations = [];
    await engine.advance(620_000);
    expect(engine.platform.arrivals).toHaveLength(250);
  }, 60_000);
});
