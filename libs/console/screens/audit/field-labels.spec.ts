import { fieldWords } from './field-labels';

describe('The fields of an entry of the audit log', () => {
  it('are words instead of names of the API', () => {
    expect(fieldWords({ fields: ['name', 'allowedIps', 'expiresAt'] })).toBe('Name, Allowed IP addresses, Expiry');
    expect(fieldWords({ fields: ['sendingPaused', 'sender.messagingTier', 'businessPortfolioId'] })).toBe(
      'Sending paused, Messaging tier, Business portfolio ID',
    );
    expect(fieldWords({ fields: ['cards', 'callPermissionRequest'] })).toBe('Cards, Call permission request');
  });

  it('are the kind of a created job, and the reason why an endpoint was disabled', () => {
    expect([['Import'], ['endpoint_gone']].map((fields) => fieldWords({ fields }))).toEqual([
      'From a file',
      'It responded with 410 Gone.',
    ]);
  });

  it('are listed once, and by name if only a newer service knows them', () => {
    expect(fieldWords({ fields: ['businessPortfolioId', 'sender.businessPortfolioId', 'newField'] })).toBe(
      'Business portfolio ID, newField',
    );
  });
});
