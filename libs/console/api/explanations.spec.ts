import { setCatalog } from '../language/translate';
import { EXPLAINED_CODES, explanationOf, inConsoleWords } from './explanations';

describe('The explanations of the console', () => {
  afterEach(() => setCatalog(null, 'en-GB'));

  it('name no fields or headers of the API', () => {
    const texts = EXPLAINED_CODES.map((code) => explanationOf(code)).flatMap((found) => [found!.when, found!.remedy]);
    expect(
      texts.filter((text) =>
        /`|Idempotency|\b(?:senderId|offerExpiresAt|platformCode|in the request|to the request)\b/.test(text),
      ),
    ).toEqual([]);
  });

  it('name WhatsApp where the service speaks of the platform', () => {
    expect(explanationOf('platform_unavailable')).toEqual({
      original: 'The platform could not be reached; nothing was sent.',
      when: 'WhatsApp could not be reached; nothing was sent.',
      remedy: expect.any(String),
    });
    expect(inConsoleWords('A platform call limit: the platform code of the platform, in `platformCode`')).toBe(
      'A WhatsApp call limit: the WhatsApp code of WhatsApp, in `platformCode`',
    );
  });

  it('do not say that nothing is to be done, as the service retries, of what has finally failed', () => {
    expect(explanationOf('platform_fault')!.remedy).toBe('Send again once WhatsApp works again.');
    const remedies = EXPLAINED_CODES.map((code) => explanationOf(code)!.remedy);
    expect(remedies.filter((remedy) => /the service (retries|slows down)/.test(remedy))).toEqual([]);
    expect(explanationOf('platform_fault', false)!.remedy).toMatch(/^Nothing: the service retries\./);
  });

  it('are in the language that is set when they are shown', () => {
    const [unreachable, expired] = [explanationOf('recipient_unreachable')!, explanationOf('offer_expired')!];
    const messages = {
      [unreachable.when]: 'Der Empfänger ist nicht bei WhatsApp.',
      [unreachable.remedy]: 'Prüfen Sie die Telefonnummer.',
      [expired.remedy]: 'Senden Sie erneut mit einem Angebot, das später endet.',
    };
    setCatalog({ language: 'de', direction: 'ltr', messages }, 'de-DE');
    expect(explanationOf('recipient_unreachable')).toEqual({
      original: unreachable.original,
      when: 'Der Empfänger ist nicht bei WhatsApp.',
      remedy: 'Prüfen Sie die Telefonnummer.',
    });
    expect(explanationOf('offer_expired')!.remedy).toBe('Senden Sie erneut mit einem Angebot, das später endet.');
  });
});
