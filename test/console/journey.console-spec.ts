import { type ConsoleBrowser, noViolations } from '../support/console/browser';
import { writesOn } from '../support/console/people';
import { startConsoleOnPlatform, stopConsole } from '../support/console/set-up';
import { phones } from '../support/process/bulk';
import type { Platform } from '../support/process/platform';
import type { Service } from '../support/process/service';

const SOON = { timeout: 30_000 };

describe('A first-time user', () => {
  let platform: Platform;
  let service: Service;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, browser, platform } = await startConsoleOnPlatform());
  });

  afterAll(stopConsole);

  it('drops a spreadsheet, previews and sends it, sees why four messages failed, retries three of them, and replies to a message', async () => {
    const page = await browser.signedIn(service, '/');
    await page.getByRole('navigation').getByRole('link', { name: 'New campaign' }).click();
    await page.getByRole('button', { name: /^order_update / }).click();
    await platform.configure({ faults: { failLater: { 131049: 1 } } });
    const rows = [...phones(3), '12'].map((phone, index) => `${phone},Mira ${index},PK-${index}`);
    const drop = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(['Phone,Name,Parcel', ...rows].join('\n'))}], 'people.csv')); return data; })()`,
    );
    await page.dispatchEvent('.file-drop', 'drop', { dataTransfer: drop });
    await page.getByRole('article', { name: 'Message to row 2' }).getByText('Hello Mira 0').waitFor();
    await page.getByRole('button', { name: 'Use these columns' }).click();
    await page.getByRole('button', { name: 'Send to 3 people…' }).click();
    await page.getByRole('button', { name: 'Send 3 messages' }).click();

    await page.getByText('3 of 3 sent').first().waitFor(SOON);
    await page.getByRole('link', { name: 'Not reached 4' }).click(SOON);
    await page.getByRole('heading', { level: 3, name: /Marketing limit reached/ }).waitFor(SOON);
    await page.getByRole('heading', { level: 3, name: /Phone number invalid/ }).waitFor();
    await noViolations(page);
    await platform.configure({ faults: { failLater: {} } });
    await page.getByRole('button', { name: 'Retry these' }).click();
    const dialog = page.getByRole('dialog', { name: /^(Retry|Send to the remaining)/ });
    await dialog.getByRole('button', { name: 'Retry 3 messages' }).click();
    await page.getByText('3 of 3 sent').first().waitFor(SOON);

    const [mira] = phones(1) as [string];
    await writesOn(platform, mira, 'Can you bring it tomorrow?');
    await page.getByRole('link', { name: 'Conversations' }).first().click();
    const people = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem');
    await people.filter({ hasText: 'Can you bring it tomorrow?' }).getByRole('link').click(SOON);
    const thread = page.getByRole('list', { name: /^Messages with/ });
    // The sent template is above her message, twice as it was retried.
    await thread.getByText('Hello Mira 0').first().waitFor();
    await page.getByLabel('Your reply').fill('Yes, before noon.');
    await page.getByRole('button', { name: 'Send' }).click();
    const answer = thread.getByRole('listitem').filter({ hasText: 'Yes, before noon.' });
    await answer.getByRole('img', { name: /Delivered|Read/ }).waitFor(SOON);
    expect(await platform.ledger()).toContainEqual(expect.objectContaining({ to: mira, type: 'text' }));
    await noViolations(page);
  });
});
