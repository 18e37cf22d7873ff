import { BulkJobsApi, errorsOf } from '../support/bulk-jobs-api';
import { describeOnDatabase } from '../support/databases';
import { phone } from '../support/ended-jobs';

const ALL = { id: 'doc-1', fileName: 'all.pdf', payloads: { '0': 'all' } };

describeOnDatabase('The extras of a group send from attributes', (open) => {
  let api: BulkJobsApi;
  let groupId: string;

  beforeAll(async () => {
    api = new BulkJobsApi(await open());
    await api.start();
  });
  beforeEach(async () => {
    await api.newAccount();
    groupId = await api.newGroup([
      { phone: phone(1), attributes: { Datei: 'Ann.pdf', Antwort: 'paid-1', Buchung: 'B-1' } },
      { phone: phone(2), attributes: { Antwort: 'two\nlines' } },
      { phone: phone(3), attributes: { Datei: 'a/b.pdf' } },
      { phone: phone(4) },
    ]);
  });
  afterAll(() => api.app.close());

  const send = (fromAttributes: object) =>
    api.post('/send-template-to-group', {
      ...{ groupId, templateName: 'invoice', parameterDefaults: { '1': 'a', '2': 'b' }, fromAttributes },
      ...{ headerMediaId: ALL.id, headerMediaFileName: ALL.fileName, quickReplyPayloads: ALL.payloads },
    });

  it('are the file name, the payloads and the flow token of each recipient', async () => {
    const { body } = await send({
      ...{ headerMediaFileName: 'Datei', quickReplyPayloads: { '0': 'Antwort' }, flowToken: 'Buchung' },
    }).expect(202);
    expect(body).toMatchObject({ totalRecipients: 4, invalidRows: 2 });
    const rows = await api.database.rows(
      'SELECT phone, extras, problem AS code FROM job_recipients WHERE job_id = $1 ORDER BY position',
      [body.jobId],
    );
    expect(rows).toMatchObject([
      { phone: phone(1), extras: { fileName: 'Ann.pdf', payloads: { '0': 'paid-1' }, flow: { token: 'B-1' } } },
      { phone: phone(2), code: 'parameter_invalid' },
      { phone: phone(3), code: 'parameter_invalid' },
      { phone: phone(4), extras: null, code: null },
    ]);
  });

  it('are rejected if their button does not exist', async () => {
    const { body } = await send({ quickReplyPayloads: { '1': 'Antwort' } }).expect(422);
    expect(body).toMatchObject({ code: 'parameter_mismatch', message: expect.stringContaining('have the indices 0.') });
    expect(await api.leftOvers()).toEqual({ jobs: 0, recipients: 0 });
  });

  it.each([{ x: 'Antwort' }, { '10': 'Antwort' }, { '0': 5 }, { '0': '' }, ['Antwort'], 'Antwort'])(
    'are rejected with the payloads %j',
    async (quickReplyPayloads) => {
      const { body } = await send({ quickReplyPayloads }).expect(400);
      expect(errorsOf(body)).toEqual([['fromAttributes.quickReplyPayloads', 'invalid_format']]);
      expect(body.message).toContain('must name buttons by their index, "0" to "9"');
    },
  );
});
