import { Readable } from 'node:stream';
import { Output } from '../output';
import { Session } from '../session';
import { add, importContacts } from './groups';

const GROUP = { id: 'g-1', name: 'VIP' };
const CHECK = { added: 2, updated: 1, duplicates: 0, invalid: 0, errors: [], warnings: [] };
const INVALID = [
  { rowNumber: 3, field: 'phone', code: 'phone_invalid', message: '"12" is no number.' },
  { rowNumber: 7, field: 'name', code: 'name_invalid', message: 'The name is too long.' },
];

/** Runs a command on the group VIP with the `check` of its file; with `guessed` columns, `guess`. */
async function run(
  command: (session: Session) => Promise<number>,
  { check = {}, guess = {}, done = {}, json = false, stop = new AbortController() } = {},
) {
  let [stdout, stderr] = ['', ''];
  jest.spyOn(process.stdout, 'write').mockImplementation((piece) => Boolean((stdout += String(piece))));
  jest.spyOn(process.stderr, 'write').mockImplementation((piece) => Boolean((stderr += String(piece))));
  const imported: object[] = [];
  const client = {
    each: () => Readable.from([GROUP]),
    call: jest.fn(() => Promise.resolve({ id: 'g-2' })),
    checkContacts: (_: string, form: { columns?: unknown }) =>
      Promise.resolve({ ...CHECK, ...check, ...(form.columns === 'auto' && guess) }),
    importContacts: (groupId: string, form: object) => {
      imported.push({ groupId, ...form });
      return stop.signal.aborted
        ? Promise.reject(new Error('aborted'))
        : Promise.resolve({ ...CHECK, ...check, ...done });
    },
  };
  const session = new Session(new Output({ json }), stop.signal, { yes: true });
  jest.spyOn(session, 'client').mockResolvedValue(client as never);
  try {
    return { code: await command(session), stdout, stderr, imported, client };
  } finally {
    jest.restoreAllMocks();
  }
}

const importing =
  (flags: Parameters<typeof importContacts>[3] = {}) =>
  (session: Session) =>
    importContacts(session, 'VIP', __filename, flags);

describe('The contacts of a file', () => {
  it('are imported into the group, with the options for their numbers and columns', async () => {
    const columns = { phone: 'Mobile', name: 'Customer' };
    const { code, stdout, stderr, imported } = await run(importing({ defaultCountry: 'DE', columns, header: 'true' }));
    expect([code, stdout]).toEqual([0, '3 contacts imported, 0 invalid\n']);
    expect(stderr).toBe(
      '3 contacts: 2 new in the group, 1 already in it; 0 invalid; 0 duplicates\nImporting 3 contacts …\n',
    );
    expect(imported).toEqual([{ groupId: 'g-1', file: __filename, hasHeader: 'true', defaultCountry: 'DE', columns }]);
  });

  it('are read from a named sheet below a named header row', async () => {
    const { imported } = await run(importing({ sheet: 'Kunden', headerRow: 3, cellLanguage: 'de' }));
    expect(imported).toEqual([{ groupId: 'g-1', file: __filename, sheet: 'Kunden', headerRow: 3, cellLanguage: 'de' }]);
  });

  it('name each invalid row, with its number and what is wrong', async () => {
    const { code, stderr } = await run(importing(), { check: { invalid: 3, errors: INVALID } });
    expect(code).toBe(5);
    expect(stderr.split('\n').slice(1, 4)).toEqual([
      '  row 3 (phone_invalid): "12" is no number.',
      '  row 7 (name_invalid): The name is too long.',
      '  and 1 more invalid row: --bad-rows writes all to a file',
    ]);
  });

  it.each([
    ['with --check', { check: true }, {}, 0],
    ['with --check and an invalid row', { check: true }, { invalid: 1 }, 5],
    ['with --reject-invalid and an invalid row', { rejectInvalid: true }, { invalid: 1 }, 1],
    ['without a valid row', {}, { added: 0, updated: 0, invalid: 1 }, 5],
  ])('are not imported %s', async (_, flags, check, expected) => {
    const { code, imported } = await run(importing(flags), { check });
    expect([code, imported]).toEqual([expected, []]);
  });

  it('are JSON, of the check if that is the end', async () => {
    const checked = await run(importing({ check: true }), { json: true });
    expect(JSON.parse(checked.stdout)).toEqual(CHECK);
    const refused = await run(importing({ rejectInvalid: true }), { json: true, check: { invalid: 1 } });
    expect(JSON.parse(refused.stdout)).toEqual({ ...CHECK, invalid: 1 });
    const { stdout } = await run(importing(), { json: true, done: { added: 3 } });
    expect(JSON.parse(stdout)).toEqual({ ...CHECK, added: 3 });
  });

  it('have guessed columns to confirm if no row has a number in the first one', async () => {
    const check = { added: 0, updated: 0, invalid: 1, errors: INVALID.slice(0, 1) };
    const suggestedColumns = { phone: { source: 'Mobile' }, name: { source: 'Customer' } };
    const { code, stderr } = await run(importing(), { check, guess: { added: 2, suggestedColumns } });
    expect(code).toBe(5);
    expect(stderr).toContain(`--columns '{"phone":"Mobile","name":"Customer"}'\n`);
  });

  it('may be imported in part after Ctrl-C', async () => {
    const stop = new AbortController();
    stop.abort();
    await expect(run(importing(), { stop })).rejects.toThrow('run it again to import the rest');
  });
});

it('A group is created', async () => {
  const { stdout, client } = await run((session) => add(session, 'VIP'));
  expect(stdout).toBe('g-2\n');
  expect(client.call).toHaveBeenCalledWith(expect.anything(), { body: { name: 'VIP' } }, expect.anything());
});
