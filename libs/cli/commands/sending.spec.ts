import { Readable } from 'node:stream';
import { ForbiddenError } from '../../client/errors';
import { Output } from '../output';
import { Session } from '../session';
import { type BulkFlags, importFile, send } from './sending';

const CHECK = { totalRecipients: 1, invalidRows: 0, duplicateRows: 0, optedOut: 0, warnings: [], errors: [] };
const LISTS = { errorsByCode: [], sample: [], columns: [] };
const LATER = '2026-12-01T08:00:00.000Z';
const SOON = '2026-11-28T12:00:30.000Z';
const JOB = { jobId: 'j-1', status: 'Completed', templateName: 'x', languageCode: 'de', invalidRows: 0 };
const COUNTS = { totalRecipients: 1, successfullySent: 1, failed: 0, undelivered: 0, delivered: 1, sendWindow: null };

/** A session with one file check, and what the commands write and send in it. */
function sessionWith(templates: (filter: { sendable?: 'true' }) => Readable, check: object = {}, guessed: object = {}) {
  const seen = { text: '', sent: [] as object[], checked: [] as object[], waits: 0 };
  for (const stream of ['stdout', 'stderr'] as const)
    jest.spyOn(process[stream], 'write').mockImplementation((piece) => Boolean((seen.text += String(piece))));
  const client = {
    templates,
    each: () => Readable.from([{ id: 'g-1', name: 'Staff' }]),
    sendTemplate: (message: object) => Promise.resolve(seen.sent.push(message) && { status: 'Sent', messageId: 'm-1' }),
    checkFile: (form: object) =>
      Promise.resolve(seen.checked.push(form) && { ...CHECK, ...LISTS, ...check, ...('columns' in form && guessed) }),
    importFile: (form: object) => Promise.resolve(seen.sent.push(form) && { jobId: 'j-1' }),
    job: () => Promise.resolve({ ...JOB, ...COUNTS }),
    waitForJob: () => Promise.resolve((seen.waits += 1) && { ...JOB, ...COUNTS }),
  };
  const session = new Session(new Output({ json: false }), new AbortController().signal, { yes: true });
  jest.spyOn(session, 'client').mockResolvedValue(client as never);
  return { session, seen };
}

/** The template `x` in these languages and deleted in another, and a second one. */
const inLanguages =
  (...codes: string[]) =>
  ({ sendable }: { sendable?: 'true' } = {}) => {
    const deleted = sendable ? [] : [{ name: 'x', languageCode: 'pt_BR' }];
    const own = codes.map((languageCode) => ({ name: 'x', languageCode }));
    return Readable.from([...deleted, ...own, { name: 'x_2', languageCode: 'fr' }]);
  };

beforeEach(() => {
  jest.useFakeTimers({ now: new Date('2026-11-28T12:00:00Z'), doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] });
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('The language of a send', () => {
  const words = ['4915112345678', []] as const;

  it('is the only one of the template', async () => {
    const { session, seen } = sessionWith(inLanguages('de'));
    await send(session, words[0], [...words[1]], { template: 'x' });
    expect(seen.sent).toEqual([{ to: '4915112345678', templateName: 'x', languageCode: 'de' }]);
  });

  it('must be chosen if there are several', async () => {
    const { session, seen } = sessionWith(inLanguages('de', 'en_US'));
    const expected = 'x has de, en_US: choose one with --language.';
    await expect(send(session, words[0], [], { template: 'x' })).rejects.toThrow(expected);
    await expect(importFile(session, __filename, { template: 'x', check: true })).rejects.toThrow(expected);
    expect([seen.sent, seen.checked]).toEqual([[], []]);
  });

  it('is that of the option, without another request', async () => {
    const templates = jest.fn();
    const { session, seen } = sessionWith(templates);
    await send(session, words[0], [], { template: 'x', language: 'fr' });
    expect(seen.sent).toMatchObject([{ languageCode: 'fr' }]);
    expect(templates).not.toHaveBeenCalled();
  });

  it('is left to the service if it does not know the template, or the key may not read it', async () => {
    const unknown = sessionWith(inLanguages());
    await send(unknown.session, words[0], [], { template: 'x' });
    expect(unknown.seen.sent).toEqual([{ to: '4915112345678', templateName: 'x' }]);
    const body = { requiredScope: 'templates:read' as never };
    const hidden = sessionWith(() => {
      throw new ForbiddenError('missing_scope', 'No.', { body });
    });
    await send(hidden.session, words[0], [], { template: 'x' });
    expect(hidden.seen.sent).toHaveLength(1);
    expect(hidden.seen.text).toContain('Without the scope templates:read, the language is en_US');
  });
});

describe('An import', () => {
  it('leaves out the contacts of groups and the people of a job, and counts them', async () => {
    const { session, seen } = sessionWith(inLanguages('de'), {
      leftOut: 7,
      plan: { estimatedSeconds: 1, startsAt: SOON },
    });
    const flags = { template: 'x', check: true, exclude: ['Staff'], notReachedBy: 'j-0' };
    await importFile(session, __filename, flags);
    expect(seen.checked).toMatchObject([{ excludeGroupIds: ['g-1'], notReachedBy: 'j-0' }]);
    expect(seen.text).toContain(' opted out, 7 left out\n');
    await importFile(session, __filename, { template: 'x', check: true });
    expect(seen.checked[1]).not.toHaveProperty('excludeGroupIds');
  });
});

describe('A send that starts later', () => {
  const at = { template: 'x', language: 'de', at: '2026-12-01T09:00', timeZone: 'Europe/Berlin' };
  const run = async (flags: BulkFlags, startsAt: string) => {
    const { session, seen } = sessionWith(inLanguages('de'), { plan: { estimatedSeconds: 1, startsAt } });
    return { code: await importFile(session, __filename, flags), ...seen, session };
  };

  it('says when, and ends after its acceptance', async () => {
    const { code, text, waits } = await run(at, LATER);
    expect([code, waits]).toEqual([0, 0]);
    expect(text).toContain('It would start Tue 1 Dec 09:00 Europe/Berlin and take about 1 s.\n');
    expect(text).toContain('It starts Tue 1 Dec 09:00 Europe/Berlin: `messaging jobs watch j-1` follows it.\n');
  });

  it.each([
    ['with --wait', { ...at, wait: true }, LATER, 1],
    ['with --no-wait', { ...at, wait: false }, SOON, 0],
    ['if it starts at once', at, SOON, 1],
    ['without a time, whatever the clock of this computer', { template: 'x', language: 'de' }, LATER, 1],
  ])('is followed or not: %s', async (_, flags, startsAt, expected) => {
    expect((await run(flags, startsAt)).waits).toBe(expected);
  });

  it('is confirmed with its time', async () => {
    const { session } = sessionWith(inLanguages('de'), { plan: { estimatedSeconds: 1, startsAt: LATER } });
    const confirmed = jest.spyOn(session, 'confirmed').mockResolvedValue(false);
    await importFile(session, __filename, at);
    expect(confirmed).toHaveBeenCalledWith(
      'Send to 1 recipient, starting Tue 1 Dec 09:00 Europe/Berlin?',
      'Nothing was sent.',
    );
  });
});

describe('A file whose columns do not fit', () => {
  const errorsByCode = [{ code: 'too_many_columns', count: 1 }];
  const columns = [
    { column: 'A', header: 'Handy', use: 'phone' },
    { column: 'B', header: 'Vorname', use: null },
  ];
  const suggestedColumns = { phone: { source: 'Handy' }, values: [{ source: null }] };
  const check = { plan: { estimatedSeconds: 1 }, invalidRows: 1, errorsByCode, columns, suggestedColumns };

  it('is read with a guess, which is only shown', async () => {
    const { session, seen } = sessionWith(inLanguages('de'), check, { invalidRows: 0 });
    expect(await importFile(session, __filename, { template: 'x' })).toBe(5);
    expect(seen.checked).toMatchObject([{}, { columns: 'auto' }]);
    expect(seen.text).toContain(
      `name them with --columns.\nFor example, if these columns are right:\n  --columns '{"phone"`,
    );
    expect(seen.sent).toEqual([]);
  });

  it('is JSON if its invalid rows prevent the send', async () => {
    const { session, seen } = sessionWith(inLanguages('de'), check);
    Object.assign(session.out, { json: true });
    const flags = { template: 'x', columns: { phone: 'Handy' }, rejectInvalid: true };
    expect(await importFile(session, __filename, flags)).toBe(1);
    expect(seen.text).toContain('"invalidRows": 1');
    expect(seen.sent).toEqual([]);
  });

  it('is explained without the guess if that would not help', async () => {
    const { session, seen } = sessionWith(inLanguages('de'), check);
    await importFile(session, __filename, { template: 'x', check: true });
    expect(seen.text).toContain('name them with --columns.');
    expect(seen.text).not.toContain('For example');
  });

  it('is not guessed again if the columns are named', async () => {
    const { session, seen } = sessionWith(inLanguages('de'), check);
    await importFile(session, __filename, { template: 'x', columns: { phone: 'Handy' } });
    expect(seen.checked).toHaveLength(1);
  });
});
