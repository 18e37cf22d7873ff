import { type RunningSandbox, startSandbox } from '../../libs/platform-sandbox/sandbox';
import { CloudApiClient } from '../../src/infra/cloud-api/cloud-api-client';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import { CloudApiTemplateDirectory } from '../../src/modules/templates/adapters/cloud-api-template-directory';
import { SendableTemplate } from '../../src/modules/templates/domain/sendable-template';
import type { PlatformTemplate } from '../../src/modules/templates/domain/template';

describe('TemplateDirectory on the sandbox', () => {
  let sandbox: RunningSandbox;
  let client: CloudApiClient;
  let directory: CloudApiTemplateDirectory;
  const sender = { businessAccountId: '204876543210002', accessToken: 'sandbox-access-token' } as Sender;

  beforeAll(async () => {
    sandbox = await startSandbox({ config: { templateCreationsPerHour: 0, autoApproveMs: 0 } });
    client = new CloudApiClient({ baseUrl: sandbox.url, version: 'v25.0', timeoutMs: 5_000 });
    directory = new CloudApiTemplateDirectory(client);
  });

  afterAll(async () => {
    await client.close();
    await sandbox.close();
  });

  async function read(from: Sender = sender): Promise<PlatformTemplate[]> {
    const templates: PlatformTemplate[] = [];
    for await (const page of directory.pages(from)) {
      expect(page.unreadable).toEqual([]);
      templates.push(...page.templates);
    }
    return templates;
  }

  it('reads every template of a fresh account', async () => {
    const values = Object.fromEntries(
      (await read()).map((template) => [
        `${template.name} ${template.languageCode} ${template.status}`,
        new SendableTemplate({ ...template, revisionId: 'r' }).valueCount,
      ]),
    );
    expect(values).toMatchObject({
      'hello_world en_US Approved': 0,
      'order_update en_US Approved': 2,
      'appointment_reminder de Approved': 2,
      'summer_sale en_US Approved': 1,
      'parcel_tracking en_US Approved': 4,
      'appointment_note en_US Approved': 2,
      'login_code en_US Approved': 1,
      'winter_coupon en_US Approved': 2,
      'pending_notice en_US Pending': 1,
      'disabled_notice en_US Disabled': 1,
    });
  });

  it('reads which of them cannot be sent', async () => {
    const unsupported = (await read()).filter(({ components }) => components.unsupported.length > 0);
    expect(unsupported.map(({ name, components }) => [name, ...components.unsupported])).toEqual([
      ['order_payment', 'order details button'],
    ]);
  });

  it('follows the list over several pages', async () => {
    const before = (await read()).length;
    for (let n = 0; n < 205; n++) {
      await client.call({
        method: 'POST',
        path: `/${sender.businessAccountId}/message_templates`,
        access: sender,
        body: {
          ...{ name: `made_${n}`, language: 'en_US', category: 'UTILITY' },
          components: [{ type: 'BODY', text: `Fixed text number ${n}` }],
        },
      });
    }
    const names = (await read()).map(({ name }) => name);
    expect(names).toHaveLength(before + 205);
    expect(new Set(names).size).toBeGreaterThanOrEqual(205);
  });

  it('fails with an unknown token', async () => {
    await expect(read({ ...sender, accessToken: 'wrong' })).rejects.toThrow('code 190');
  });
});
