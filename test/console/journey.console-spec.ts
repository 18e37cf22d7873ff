import { ConsoleBrowser, noViolations } from '../support/console/browser';
import { phones } from '../support/process/bulk';
import { type Service, startService } from '../support/process/service';

const SOON = { timeout: 30_000 };

describe('Somebody who never read the documentation', () => {
  let service: Service;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    service = await startService();
    browser = await ConsoleBrowser.connect();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await service?.store.drop();
  });

  it('drops a spreadsheet, sees the message, sends it, sees why four failed, and retries three of them', async () => {
    const page = await browser.signedIn(service, '/');
    await page.getByRole('link', { name: 'New campaign' }).click();
    await page.getByRole('button', { name: /^order_update / }).click();
    const failing = ['4915112340003', '4915122340003', '4915132340003'];
    const rows = [...phones(6), ...failing, '12'].map((phone, index) => `${phone},Mira ${index},PK-${index}`);
    const drop = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(['Phone,Name,Parcel', ...rows].join('\n'))}], 'people.csv')); return data; })()`,
    );
    await page.dispatchEvent('.file-drop', 'drop', { dataTransfer: drop });
    await page.getByRole('article', { name: 'Message to row 2' }).getByText('Hello Mira 0').waitFor();
    await page.getByRole('button', { name: 'Send to 9…' }).click();
    await page.getByLabel('How many people get it?').fill('9');
    await page.getByRole('button', { name: 'Send 9 messages' }).click();

    await page.getByText('10 of 10 recipients done').waitFor(SOON);
    await page.getByRole('link', { name: 'Failures 4' }).click(SOON);
    await page.getByRole('heading', { level: 3, name: /Recipient unreachable/ }).waitFor(SOON);
    await page.getByRole('heading', { level: 3, name: /Phone invalid/ }).waitFor();
    await noViolations(page);
    await page.getByRole('button', { name: 'Retry these' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send to them again' });
    await dialog.getByRole('button', { name: 'Retry 3' }).click();
    await page.getByText('3 of 3 recipients done').waitFor(SOON);
  });
});
