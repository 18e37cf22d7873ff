import { type ConsoleBrowser, noViolations } from '../support/console/browser';
import { startConsole, stopConsole } from '../support/console/set-up';
import { Client } from '../support/process/client';
import type { Service } from '../support/process/service';

const NO_ID = '01890000-0000-7000-8000-000000000000';
/** The screens closed to a key with templates:read, and the scopes that open them. */
const CLOSED: readonly (readonly [path: string, scope: string])[] = [
  ['/', 'jobs:read or messaging:read'],
  ['/jobs', 'jobs:read'],
  [`/jobs/${NO_ID}`, 'jobs:read'],
  [`/jobs/${NO_ID}/recipients`, 'jobs:read'],
  [`/jobs/${NO_ID}/failures`, 'jobs:read'],
  ['/senders', 'messaging:read or jobs:read'],
  ['/keys', 'keys:manage'],
  ['/webhooks', 'webhooks:manage'],
  [`/webhooks/${NO_ID}`, 'webhooks:manage'],
  ['/audit', 'keys:manage'],
  ['/accounts', 'accounts:manage'],
  [`/accounts/${NO_ID}`, 'accounts:manage'],
  ['/send/campaign', 'messaging:send'],
  ['/send/group', 'messaging:send'],
  ['/send/one', 'messaging:send'],
  ['/templates/new', 'templates:manage'],
  [`/templates/${NO_ID}/edit`, 'templates:manage'],
  ['/conversations', 'messaging:read'],
  ['/messages', 'messaging:read'],
  [`/messages/${NO_ID}`, 'messaging:read'],
  ['/contacts', 'groups:read'],
  [`/contacts/${NO_ID}`, 'groups:read'],
  ['/groups', 'groups:read'],
  [`/groups/${NO_ID}`, 'groups:read'],
  ['/opt-outs', 'groups:read'],
];

describe('A key that only reads templates', () => {
  let service: Service;
  let browser: ConsoleBrowser;
  let key: string;

  beforeAll(async () => {
    ({ service, browser } = await startConsole());
    const made = await new Client(service).post('/api-keys', { name: 'Templates only', scopes: ['templates:read'] });
    key = made.body.key as string;
  });

  afterAll(stopConsole);

  it('sees only templates in the navigation, and the required scope on every other screen', async () => {
    const page = await browser.signedIn(service, '/templates', { key });
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()).toEqual([
      'Templates',
    ]);
    const main = page.getByRole('main');
    for (const [path, scope] of CLOSED) {
      await page.evaluate(`history.pushState(null, '', '/console${path}')`);
      await main.getByText(`Required scope: ${scope}.`).waitFor();
      expect([path, await main.getByRole('button').count(), await main.getByRole('link').count()]).toEqual([
        path,
        0,
        0,
      ]);
    }
    await noViolations(page);
  });
});
