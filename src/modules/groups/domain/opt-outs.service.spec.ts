import { EventsInMemory } from '../../../../test/fakes/events-in-memory';
import { ImmediateUnitOfWork } from '../../../../test/fakes/immediate-unit-of-work';
import { FakeClock } from '../../../../test/fakes/fake-clock';
import { InMemoryOptOutKeywords, InMemoryOptOuts } from '../../../../test/fakes/in-memory-opt-outs';
import { EventOutbox } from '../../events/domain/event-outbox.service';
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
  let optOuts: OptOutsService;
  let events: EventsInMemory;

  beforeEach(() => {
    clock = new FakeClock();
    phoneOfHidden = null;
    const phones = internationalPhoneBook();
    const store = new InMemoryOptOuts((_, userId) => (userId === HIDDEN ? phoneOfHidden : null));
    events = new EventsInMemory();
    optOuts = new OptOutsService(
      ...([store, phones, clock, new ImmediateUnitOfWork(), new InMemoryOptOutKeywords()] as const),
      new EventOutbox(events),
    );
  });

  /** So many seconds ago. */
  const ago = (seconds: number) => new Date(clock.now().getTime() - seconds * 1000);
  const said = (text: string, at: Date, phone: string | null = ANNA, userId: string | null = null) =>
    optOuts.applyMessages(accountId, [{ phone, userId, text, at }]);
  const isOut = (person = ANNA) => optOuts.isOptedOut(accountId, person);
  const listed = async () => (await optOuts.list(accountId, FIRST_PAGE)).items;

  it('are recorded and taken back by the words of a person', async () => {
    await said('stop', ago(9));
    expect(await isOut()).toBe(true);
    expect(await listed()).toEqual([{ phone: ANNA, userId: null, scope: 'All', source: 'Keyword', createdAt: ago(9) }]);
    await said('start', ago(5));
    expect([await isOut(), await listed()]).toEqual([false, []]);
    await said('stop', ago(3));
    expect(await listed()).toMatchObject([{ createdAt: ago(3) }]);
  });

  it('follow the latest word, in whatever order the words come and however often', async () => {
    const words = [
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
      for (const at of order) await said(words[at]!.text, words[at]!.at, phone);
      expect([order, await isOut(phone)]).toEqual([order, false]);
    }
    for (const at of [2, 1, 0]) await said(words[at]!.text, words[at]!.at, BEN);
    expect(await isOut(BEN)).toBe(true);
  });

  it('follow the word that was heard last where two are of the same second', async () => {
    const second = ago(5);
    await said('STOP', second);
    await said('START', second);
    expect(await isOut()).toBe(false);
    await said('STOP', second);
    expect(await isOut()).toBe(false);
  });

  it('stand where one call brings two words of the same second, in whatever order', async () => {
    for (const [phone, texts] of [
      [ANNA, ['START', 'STOP']],
      [BEN, ['STOP', 'START']],
    ] as const) {
      const messages = texts.map((text) => ({ phone, userId: null, text, at: ago(5) }));
      await optOuts.applyMessages(accountId, messages);
      expect(await isOut(phone)).toBe(true);
    }
  });

  it('are not bound by a word from the future', async () => {
    await said('STOP', ago(-86_400));
    expect(await listed()).toMatchObject([{ createdAt: clock.now() }]);
    await clock.advance(2000);
    await said('START', clock.now());
    expect(await isOut()).toBe(false);
  });

  it('of the account give way to a later word of the person, not to an earlier one', async () => {
    await optOuts.add(accountId, ANNA);
    await said('START', ago(60));
    expect(await isOut()).toBe(true);
    await clock.advance(60_000);
    await said('START', clock.now());
    expect(await isOut()).toBe(false);
  });

  it('that the account takes back stay so when the word comes again, and return with a new one', async () => {
    await said('STOP', ago(60));
    await optOuts.remove(accountId, ANNA);
    await said('STOP', ago(60));
    expect(await isOut()).toBe(false);
    await said('STOP', ago(1));
    expect(await isOut()).toBe(true);
    await optOuts.remove(accountId, ANNA);
    await optOuts.add(accountId, ANNA);
    expect(await listed()).toMatchObject([{ source: 'Api' }]);
  });

  it('hold for the rows of jobs that an earlier version stored in another form', async () => {
    await said('STOP', ago(5), '5511987654321');
    for (const stored of ['5511987654321', '551187654321', '55011987654321']) {
      expect(await optOuts.among(accountId, [stored, BEN])).toEqual(new Set([stored]));
    }
    await said('START', ago(3), '5511987654321');
    expect(await isOut('551187654321')).toBe(false);
  });

  it('keep what concerns marketing apart: the platform stops and resumes it', async () => {
    const prefer = (stop: boolean, at: Date) =>
      optOuts.applyPreferences(accountId, [{ phone: ANNA, userId: null, stop, at }]);
    await prefer(true, ago(20));
    expect(await isOut()).toBe(false);
    expect(await optOuts.standing(accountId, [ANNA, BEN])).toEqual(new Map([[ANNA, 'Marketing']]));
    await said('START', ago(15));
    expect(await optOuts.standing(accountId, [ANNA])).toEqual(new Map([[ANNA, 'Marketing']]));
    await said('STOP', ago(10));
    expect(await optOuts.standing(accountId, [ANNA])).toEqual(new Map([[ANNA, 'All']]));
    expect(await listed()).toMatchObject([
      { scope: 'All', source: 'Keyword' },
      { scope: 'Marketing', source: 'Platform' },
    ]);
    await prefer(false, ago(5));
    await prefer(true, ago(6));
    expect(await listed()).toMatchObject([{ scope: 'All' }]);
  });

  it('are all taken back at once by the account', async () => {
    await said('STOP', ago(10));
    await optOuts.applyPreferences(accountId, [{ phone: ANNA, userId: null, stop: true, at: ago(10) }]);
    await optOuts.remove(accountId, ANNA);
    expect(await listed()).toEqual([]);
    await expect(optOuts.remove(accountId, ANNA)).rejects.toMatchObject({ code: 'opt_out_not_found' });
  });

  describe('of a person who hides the number', () => {
    it('are kept and taken back by the user id', async () => {
      await said('STOP', ago(5), null, HIDDEN);
      expect(await isOut(HIDDEN)).toBe(true);
      expect(await listed()).toMatchObject([{ phone: null, userId: HIDDEN }]);
      await optOuts.remove(accountId, HIDDEN);
      expect(await isOut(HIDDEN)).toBe(false);
    });

    it('are those of the number that the contact book knows', async () => {
      phoneOfHidden = ANNA;
      await said('STOP', ago(5), null, HIDDEN);
      expect(await isOut(ANNA)).toBe(true);
      expect(await isOut(HIDDEN)).toBe(true);
      expect([...(await optOuts.among(accountId, [HIDDEN, '4915100000099']))]).toEqual([HIDDEN]);
      await optOuts.remove(accountId, HIDDEN);
      expect(await isOut(ANNA)).toBe(false);
    });

    it('pass on to the number once it is known', async () => {
      await said('STOP', ago(50), null, HIDDEN);
      await optOuts.applyPreferences(accountId, [{ phone: null, userId: HIDDEN, stop: true, at: ago(50) }]);
      await optOuts.unite(accountId, [{ phone: ANNA, userId: HIDDEN }]);
      expect(await isOut(ANNA)).toBe(true);
      expect((await listed()).map(({ phone, scope }) => [phone, scope]).sort()).toEqual([
        [ANNA, 'All'],
        [ANNA, 'Marketing'],
      ]);
    });

    it('do not come back with the number when the person has said START since', async () => {
      await said('STOP', ago(50), null, HIDDEN);
      await said('START', ago(40), ANNA);
      await optOuts.unite(accountId, [{ phone: ANNA, userId: HIDDEN }]);
      expect(await isOut(ANNA)).toBe(false);
    });
  });

  it('are made by the keywords of the account', async () => {
    expect((await optOuts.keywords(accountId)).optInKeywords).toEqual(['START']);
    await optOuts.setKeywords(accountId, { optOutKeywords: ['baja'], optInKeywords: ['alta'] });
    await said('Cancel', ago(9));
    expect(await isOut()).toBe(false);
    await said('Baja', ago(8));
    expect(await isOut()).toBe(true);
    await said('ALTA', ago(7));
    expect(await isOut()).toBe(false);
    await expect(optOuts.setKeywords(accountId, { optOutKeywords: ['a'], optInKeywords: ['A'] })).rejects.toMatchObject(
      { code: 'validation_failed', errors: [{ field: 'optInKeywords.0' }] },
    );
  });

  describe('as events', () => {
    const told = () => events.events.map(({ type, timestamp, data }) => ({ type, timestamp, data }));
    const person = { phone: ANNA, userId: null };

    it('tell each turn of a person once, with the time and the source of the word', async () => {
      await said('stop', ago(9));
      await said('stop', ago(9));
      await said('stop', ago(7));
      await said('start', ago(5));
      await optOuts.applyPreferences(accountId, [{ ...person, stop: true, at: ago(3) }]);
      const keyword = { ...person, scope: 'All', source: 'Keyword' };
      expect(told()).toEqual([
        { type: 'contact.opted_out', timestamp: ago(9).toISOString(), data: keyword },
        { type: 'contact.opted_in', timestamp: ago(5).toISOString(), data: keyword },
        {
          type: 'contact.opted_out',
          timestamp: ago(3).toISOString(),
          data: { ...person, scope: 'Marketing', source: 'Platform' },
        },
      ]);
    });

    it('tell what the account records and deletes, in every scope', async () => {
      await optOuts.add(accountId, ANNA);
      await optOuts.add(accountId, ANNA);
      await optOuts.applyPreferences(accountId, [{ ...person, stop: true, at: ago(1) }]);
      await optOuts.remove(accountId, ANNA);
      expect(told().map(({ type, data }) => [type, data])).toEqual([
        ['contact.opted_out', { ...person, scope: 'All', source: 'Api' }],
        ['contact.opted_out', { ...person, scope: 'Marketing', source: 'Platform' }],
        ['contact.opted_in', { ...person, scope: 'All', source: 'Api' }],
        ['contact.opted_in', { ...person, scope: 'Marketing', source: 'Api' }],
      ]);
    });

    it('tell nothing where two identities of a person turn out to be one', async () => {
      await said('stop', ago(9), null, HIDDEN);
      const before = told().length;
      await optOuts.unite(accountId, [{ phone: ANNA, userId: HIDDEN }]);
      expect([await isOut(), told().length]).toEqual([true, before]);
    });
  });
});
