import { actorIn, unreadAuditLog } from '../../../../test/support/audit';
import { EventsInMemory } from '../../../../test/fakes/events-in-memory';
import { ImmediateUnitOfWork } from '../../../../test/fakes/immediate-unit-of-work';
import { FakeClock } from '../../../../test/fakes/fake-clock';
import { InMemoryKnownNumbers } from '../../../../test/fakes/in-memory-known-numbers';
import { InMemoryOptOutKeywords, InMemoryOptOuts } from '../../../../test/fakes/in-memory-opt-outs';
import { EventOutbox } from '../../events/domain/event-outbox';
import { KnownNumbers } from './known-numbers';
import { OptOutsService } from './opt-outs.service';
import { internationalPhoneBook } from '../../../../test/support/phone-book';

const ANNA = '4915123456789';
const BEN = '4915123456780';
const HIDDEN = 'DE.1349abc';
const FIRST_PAGE = { page: 1, pageSize: 20 };

describe('Opt-outs', () => {
  const accountId = 'account';
  let clock: FakeClock;
  let phoneOfHidden: string | null;
  let store: InMemoryOptOuts;
  let optOuts: OptOutsService;
  let events: EventsInMemory;

  beforeEach(() => {
    clock = new FakeClock();
    phoneOfHidden = null;
    const phones = internationalPhoneBook();
    store = new InMemoryOptOuts();
    const known = new InMemoryKnownNumbers((_, userId) => (userId === HIDDEN ? phoneOfHidden : null));
    events = new EventsInMemory();
    optOuts = new OptOutsService(
      ...([
        store,
        new KnownNumbers(known),
        phones,
        clock,
        new ImmediateUnitOfWork(),
        new InMemoryOptOutKeywords(),
      ] as const),
      new EventOutbox(events),
      unreadAuditLog(),
    );
  });

  const ago = (seconds: number) => new Date(clock.now().getTime() - seconds * 1000);
  const receive = (text: string, at: Date, phone: string | null = ANNA, userId: string | null = null) =>
    optOuts.applyMessages(accountId, [{ phone, userId, text, at }]);
  const isOut = (person = ANNA) => optOuts.isOptedOut(accountId, person);
  const listed = async () => (await optOuts.list(accountId, FIRST_PAGE)).items;

  it('are recorded and reverted by keywords of a person', async () => {
    await receive('stop', ago(9));
    expect(await isOut()).toBe(true);
    expect(await listed()).toEqual([{ phone: ANNA, userId: null, scope: 'All', source: 'Keyword', createdAt: ago(9) }]);
    await receive('start', ago(5));
    expect([await isOut(), await listed()]).toEqual([false, []]);
    await receive('stop', ago(3));
    expect(await listed()).toMatchObject([{ createdAt: ago(3) }]);
  });

  it('follow the latest keyword, whatever the order and repetition of arrivals', async () => {
    const messages = [
      { text: 'STOP', at: ago(40) },
      { text: 'START', at: ago(30) },
      { text: 'STOP', at: ago(20) },
      { text: 'START', at: ago(10) },
    ];
    const orders = [
      [3, 2, 1, 0],
      [1, 0, 3, 2],
      [3, 0, 3, 2, 1, 2],
      [2, 1, 0, 2, 3, 2, 0],
    ];
    for (const [index, order] of orders.entries()) {
      const phone = `491512345670${index}`;
      for (const at of order) await receive(messages[at]!.text, messages[at]!.at, phone);
      expect([order, await isOut(phone)]).toEqual([order, false]);
    }
    for (const at of [2, 1, 0]) await receive(messages[at]!.text, messages[at]!.at, BEN);
    expect(await isOut(BEN)).toBe(true);
  });

  it('follow the keyword that arrived last within the same second', async () => {
    const second = ago(5);
    await receive('STOP', second);
    await receive('START', second);
    expect(await isOut()).toBe(false);
    await receive('STOP', second);
    expect(await isOut()).toBe(false);
  });

  it('win if one call contains both keywords of the same second', async () => {
    for (const [phone, texts] of [
      [ANNA, ['START', 'STOP']],
      [BEN, ['STOP', 'START']],
    ] as const) {
      const messages = texts.map((text) => ({ phone, userId: null, text, at: ago(5) }));
      await optOuts.applyMessages(accountId, messages);
      expect(await isOut(phone)).toBe(true);
    }
  });

  it('treat a future time as now', async () => {
    await receive('STOP', ago(-86_400));
    expect(await listed()).toMatchObject([{ createdAt: clock.now() }]);
    await clock.advance(2000);
    await receive('START', clock.now());
    expect(await isOut()).toBe(false);
  });

  it('of the account are reverted by a later keyword of the person, not by an earlier one', async () => {
    await optOuts.add(actorIn(accountId), { phone: ANNA });
    await receive('START', ago(60));
    expect(await isOut()).toBe(true);
    await clock.advance(60_000);
    await receive('START', clock.now());
    expect(await isOut()).toBe(false);
  });

  it('removed by the account return with a new keyword, not with a repeated one', async () => {
    await receive('STOP', ago(60));
    await optOuts.remove(actorIn(accountId), ANNA);
    await receive('STOP', ago(60));
    expect(await isOut()).toBe(false);
    await receive('STOP', ago(1));
    expect(await isOut()).toBe(true);
    await optOuts.remove(actorIn(accountId), ANNA);
    await optOuts.add(actorIn(accountId), { phone: ANNA });
    expect(await listed()).toMatchObject([{ source: 'Api' }]);
  });

  it('apply to numbers that an earlier version stored in another form', async () => {
    await receive('STOP', ago(5), '5511987654321');
    for (const stored of ['5511987654321', '551187654321', '55011987654321']) {
      expect(await optOuts.optedOutAmong(accountId, [stored, BEN])).toEqual(new Set([stored]));
    }
    await receive('START', ago(3), '5511987654321');
    expect(await isOut('551187654321')).toBe(false);
  });

  it('keep marketing separate: the platform stops and resumes it', async () => {
    const report = (stop: boolean, at: Date) =>
      optOuts.applyPreferences(accountId, [{ phone: ANNA, userId: null, stop, at }]);
    await report(true, ago(20));
    expect(await isOut()).toBe(false);
    expect(await optOuts.scopesByPerson(accountId, [ANNA, BEN])).toEqual(new Map([[ANNA, 'Marketing']]));
    await receive('START', ago(15));
    expect(await optOuts.scopesByPerson(accountId, [ANNA])).toEqual(new Map([[ANNA, 'Marketing']]));
    await receive('STOP', ago(10));
    expect(await optOuts.scopesByPerson(accountId, [ANNA])).toEqual(new Map([[ANNA, 'All']]));
    expect(await listed()).toMatchObject([
      { scope: 'All', source: 'Keyword' },
      { scope: 'Marketing', source: 'Platform' },
    ]);
    await report(false, ago(5));
    await report(true, ago(6));
    expect(await listed()).toMatchObject([{ scope: 'All' }]);
  });

  it('are all removed at once by the account', async () => {
    await receive('STOP', ago(10));
    await optOuts.applyPreferences(accountId, [{ phone: ANNA, userId: null, stop: true, at: ago(10) }]);
    await optOuts.remove(actorIn(accountId), ANNA);
    expect(await listed()).toEqual([]);
    await expect(optOuts.remove(actorIn(accountId), ANNA)).rejects.toMatchObject({ code: 'opt_out_not_found' });
  });

  describe('of a person who hides the number', () => {
    it('are stored and removed by the user id', async () => {
      await receive('STOP', ago(5), null, HIDDEN);
      expect(await isOut(HIDDEN)).toBe(true);
      expect(await listed()).toMatchObject([{ phone: null, userId: HIDDEN }]);
      await optOuts.remove(actorIn(accountId), HIDDEN);
      expect(await isOut(HIDDEN)).toBe(false);
    });

    it('are those of the number in the contact book', async () => {
      phoneOfHidden = ANNA;
      await receive('STOP', ago(5), null, HIDDEN);
      expect(await isOut(ANNA)).toBe(true);
      expect(await isOut(HIDDEN)).toBe(true);
      expect([...(await optOuts.optedOutAmong(accountId, [HIDDEN, '4915100000099']))]).toEqual([HIDDEN]);
      await optOuts.remove(actorIn(accountId), HIDDEN);
      expect(await isOut(ANNA)).toBe(false);
    });

    it('apply to the number once it is known', async () => {
      await receive('STOP', ago(50), null, HIDDEN);
      await optOuts.applyPreferences(accountId, [{ phone: null, userId: HIDDEN, stop: true, at: ago(50) }]);
      await optOuts.mergeIdentities(accountId, [{ phone: ANNA, userId: HIDDEN }]);
      expect(await isOut(ANNA)).toBe(true);
      expect((await listed()).map(({ phone, scope }) => [phone, scope]).sort()).toEqual([
        [ANNA, 'All'],
        [ANNA, 'Marketing'],
      ]);
    });

    it('apply to a number that became known while they were recorded', async () => {
      const { add } = store;
      store.add = (...optOut) => {
        phoneOfHidden = ANNA;
        return add.apply(store, optOut);
      };
      await optOuts.add(actorIn(accountId), { userId: HIDDEN });
      expect([await isOut(ANNA), await isOut(HIDDEN)]).toEqual([true, true]);
    });

    it('apply to a number that was known when they were committed, once the identities are joined', async () => {
      await receive('STOP', ago(50), null, HIDDEN);
      phoneOfHidden = ANNA;
      expect(await isOut(ANNA)).toBe(false);
      await optOuts.joinIdentities(accountId, [HIDDEN]);
      expect([await isOut(ANNA), await isOut(HIDDEN)]).toEqual([true, true]);
    });

    it('do not apply to the number if the person has sent START since', async () => {
      await receive('STOP', ago(50), null, HIDDEN);
      await receive('START', ago(40), ANNA);
      await optOuts.mergeIdentities(accountId, [{ phone: ANNA, userId: HIDDEN }]);
      expect(await isOut(ANNA)).toBe(false);
    });
  });

  it('are recorded by the keywords of the account', async () => {
    expect((await optOuts.keywords(accountId)).optInKeywords).toEqual(['START']);
    await optOuts.setKeywords(actorIn(accountId), { optOutKeywords: ['baja'], optInKeywords: ['alta'] });
    await receive('Cancel', ago(9));
    expect(await isOut()).toBe(false);
    await receive('Baja', ago(8));
    expect(await isOut()).toBe(true);
    await receive('ALTA', ago(7));
    expect(await isOut()).toBe(false);
    await expect(
      optOuts.setKeywords(actorIn(accountId), { optOutKeywords: ['a'], optInKeywords: ['A'] }),
    ).rejects.toMatchObject({ code: 'validation_failed', errors: [{ field: 'optInKeywords.0' }] });
  });

  describe('as events', () => {
    const emitted = () => events.events.map(({ type, timestamp, data }) => ({ type, timestamp, data }));
    const person = { phone: ANNA, userId: null };

    it('report each change once, with time and source', async () => {
      await receive('stop', ago(9));
      await receive('stop', ago(9));
      await receive('stop', ago(7));
      await receive('start', ago(5));
      await optOuts.applyPreferences(accountId, [{ ...person, stop: true, at: ago(3) }]);
      const keyword = { ...person, scope: 'All', source: 'Keyword' };
      expect(emitted()).toEqual([
        { type: 'contact.opted_out', timestamp: ago(9).toISOString(), data: keyword },
        { type: 'contact.opted_in', timestamp: ago(5).toISOString(), data: keyword },
        {
          type: 'contact.opted_out',
          timestamp: ago(3).toISOString(),
          data: { ...person, scope: 'Marketing', source: 'Platform' },
        },
      ]);
    });

    it('report what the account records and removes, in every scope', async () => {
      await optOuts.add(actorIn(accountId), { phone: ANNA });
      await optOuts.add(actorIn(accountId), { phone: ANNA });
      await optOuts.applyPreferences(accountId, [{ ...person, stop: true, at: ago(1) }]);
      await optOuts.remove(actorIn(accountId), ANNA);
      expect(emitted().map(({ type, data }) => [type, data])).toEqual([
        ['contact.opted_out', { ...person, scope: 'All', source: 'Api' }],
        ['contact.opted_out', { ...person, scope: 'Marketing', source: 'Platform' }],
        ['contact.opted_in', { ...person, scope: 'All', source: 'Api' }],
        ['contact.opted_in', { ...person, scope: 'Marketing', source: 'Api' }],
      ]);
    });

    it('report nothing when two identities of a person are merged', async () => {
      await receive('stop', ago(9), null, HIDDEN);
      const before = emitted().length;
      await optOuts.mergeIdentities(accountId, [{ phone: ANNA, userId: HIDDEN }]);
      expect([await isOut(), emitted().length]).toEqual([true, before]);
    });
  });
});
