import { LiveSandbox, Subscriber, until } from '../fixtures/live-sandbox';
import { userIdOf, waIdOf } from './people';

const TO = '4915112345678';
const MEXICAN = '525512345678';

describe('People on the platform', () => {
  it.each([
    ['Germany', TO, TO],
    ['Mexico', MEXICAN, '5215512345678'],
    ['Mexico, with the 1', '5215512345678', '5215512345678'],
    ['Brazil, area 11', '5511987654321', '5511987654321'],
    ['Brazil, area 85', '5585987654321', '558587654321'],
    ['Brazil, without the ninth digit', '558587654321', '558587654321'],
    ['Brazil, a landline', '558533445566', '558533445566'],
  ])('have a number in the form of the platform: %s', (_, phone, waId) => {
    expect(waIdOf(phone)).toBe(waId);
    expect(userIdOf(phone)).toBe(userIdOf(waId));
  });

  describe('in messages and webhooks', () => {
    let sandbox: LiveSandbox;
    let subscriber: Subscriber;

    beforeEach(async () => {
      sandbox = await LiveSandbox.start();
      subscriber = new Subscriber();
      await sandbox.subscribe(await subscriber.listen());
    });
    afterEach(async () => {
      await sandbox.close();
      await subscriber.close();
    });

    it('are named by that form in responses, statuses and messages', async () => {
      const { body } = await sandbox.order(`+${MEXICAN}`);
      expect(body.contacts).toEqual([{ input: `+${MEXICAN}`, wa_id: waIdOf(MEXICAN) }]);
      await sandbox.control('POST', 'inbound', { from: MEXICAN, text: 'Hola' });
      await until(() => subscriber.statuses.length >= 2 && subscriber.inbound.length === 1);

      expect(subscriber.statuses[0]).toMatchObject({ recipient_id: waIdOf(MEXICAN) });
      expect(subscriber.inbound[0]).toMatchObject({ from: waIdOf(MEXICAN), from_user_id: userIdOf(MEXICAN) });
      const reply = { to: MEXICAN, type: 'text', text: { body: 'Hola' } };
      expect((await sandbox.message(reply)).status).toBe(200);
    });

    it('are contacts beside their statuses, with number and user id, but not beside failures', async () => {
      await sandbox.control('POST', 'config', { statusContacts: true });
      const ids = ['4915112345670', '4915112345671', '4915112345672'];
      for (const to of ids) await sandbox.order(to);
      await until(() => subscriber.statuses.length === 7);
      await sandbox.order('4915112340003');
      await until(() => subscriber.statuses.length === 8);

      const named = subscriber.changes.map(({ value }) => {
        const { statuses, contacts } = value as { statuses: Record<string, string>[]; contacts?: object[] };
        const people = statuses.map(({ recipient_id: wa_id, recipient_user_id: user_id }) => ({ wa_id, user_id }));
        return { statuses: people, contacts };
      });
      const failed = named.pop();
      expect(failed).toEqual({ statuses: [{ wa_id: '4915112340003', user_id: undefined }], contacts: undefined });
      for (const { statuses, contacts } of named) expect(contacts).toEqual(statuses);
      expect(named.flatMap(({ contacts }) => contacts)).toContainEqual({ wa_id: ids[0], user_id: userIdOf(ids[0]!) });
    });

    it('are contacts without a number if they were given by user id', async () => {
      await sandbox.control('POST', 'config', { statusContacts: true });
      await sandbox.template('', 'hello_world', [], 'en_US', { to: undefined, recipient: 'DE.1' });
      await until(() => subscriber.statuses.length >= 2);

      expect(subscriber.statuses[0]).toMatchObject({ recipient_user_id: 'DE.1' });
      expect(subscriber.changes[0]?.value.contacts).toContainEqual({ user_id: 'DE.1' });
    });
  });
});
