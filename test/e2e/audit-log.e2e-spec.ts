import type { AuditEntryDto as Entry } from '../../libs/client/generated/types.gen';
import { Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import { type Service, startService } from '../support/process/service';

describe('The audit log', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start();
    service = await startService({ platformUrl: platform.url });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const patch = (path: string, body: object) => client.call('PATCH', path, { body });
  const entries = async (query = ''): Promise<Entry[]> =>
    ((await client.get(`/audit-log?limit=200${query}`)).body as { items: Entry[] }).items;

  it('names who did what with jobs, templates, opt-outs and settings', async () => {
    const recipients = [{ to: '4915112340010', templateParameters: [] }];
    const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
    const order = { templateName: 'hello_world', recipients, scheduledAt };
    const { jobId } = (await client.post('/bulk-jobs', order)).body as { jobId: string };
    await patch(`/bulk-jobs/${jobId}`, { name: 'Spring' });
    for (const action of ['pause', 'resume', 'cancel']) await client.post(`/bulk-jobs/${jobId}/${action}`, {});
    const retry = await client.post(`/bulk-jobs/${jobId}/retry`, { scope: 'all' });
    expect(retry.status).toBe(202);
    const { id: templateId } = (
      await client.post('/templates', {
        ...{ name: 'parcel', languageCode: 'en_US', category: 'Utility' },
        body: { text: 'Your parcel is on its way.' },
      })
    ).body as { id: string };
    expect((await client.call('DELETE', `/templates/${templateId}`)).status).toBe(204);
    await client.post('/opt-outs', { phone: '4915112340099' });
    expect((await client.call('DELETE', '/opt-outs/4915112340099')).status).toBe(204);
    await client.call('PUT', '/settings/history', { body: { retentionDays: 30 } });
    const keywords = { optOutKeywords: ['raus'], optInKeywords: ['rein'] };
    await client.call('PUT', '/settings/opt-out-keywords', { body: keywords });

    const found = (await entries())
      .filter(({ action }) => !action.startsWith('key.') && !action.startsWith('account.'))
      .reverse();
    expect(found.filter(({ targetId }) => targetId === jobId).map(({ action }) => action)).toEqual([
      ...['job.created', 'job.changed', 'job.paused', 'job.resumed', 'job.cancelled'],
    ]);
    const retried = { action: 'job.retried', targetId: retry.body.jobId, fields: ['Import'] };
    expect(found).toContainEqual(expect.objectContaining(retried));
    expect(found.filter(({ action }) => !action.startsWith('job.')).map(({ action }) => action)).toEqual([
      ...['template.created', 'template.deleted', 'opt_out.created', 'opt_out.deleted'],
      ...['settings.changed', 'settings.changed'],
    ]);
    for (const entry of found) {
      expect(entry).toMatchObject({ keyName: expect.any(String), keyPrefix: expect.any(String) });
      expect(JSON.stringify(entry)).not.toContain('4915112340099');
    }
  });

  it('is filtered by action, key and target', async () => {
    const [created] = await entries('&action=job.created');
    expect(created).toMatchObject({ action: 'job.created', fields: ['Import'] });
    const about = await entries(`&targetId=${created!.targetId}`);
    expect(about.length).toBeGreaterThan(2);
    expect(new Set(about.map(({ targetId }) => targetId)).size).toBe(1);
    expect(await entries('&keyPrefix=unknown')).toEqual([]);
    expect(await entries(`&action=job.created&keyPrefix=${created!.keyPrefix}`)).toEqual([created]);
    expect((await client.get('/audit-log?action=job.eaten')).status).toBe(400);
  });

  it('is exported as CSV', async () => {
    const { headers, body } = await client.get('/audit-log/export?action=settings.changed');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows = String(body).trim().split('\r\n');
    expect(rows[0]).toContain('"createdAt","action","keyName","keyPrefix"');
    expect(rows).toHaveLength(3);
    expect(rows[1]).toContain('"settings.changed"');
  });
});
