import fc from 'fast-check';
import { changedWebhooks } from '../../../../test/support/changed-webhooks';
import type { WebhookReport } from '../domain/webhook-protocol.port';
import { readWebhook } from './cloud-api-webhook-protocol';

const NOW = new Date('2026-12-01T00:00:00Z');
const NUMBER = '109876543210001';

/** Adds valid updates of every kind, in a new entry after the existing ones. */
function withValidUpdates(body: unknown): unknown {
  const value = {
    metadata: { phone_number_id: NUMBER },
    statuses: [{ id: 'wamid.good', status: 'read', timestamp: '1795190400' }],
    messages: [{ id: 'wamid.good', from: '4915112345678', type: 'text', text: { body: 'good' } }],
  };
  const preferences = { user_preferences: [{ wa_id: '4915112345678', value: 'stop' }] };
  const entry = {
    id: '1',
    changes: [
      { field: 'messages', value },
      { field: 'user_preferences', value: preferences },
    ],
  };
  const given = (body as { entry?: unknown } | null)?.entry;
  return { ...(body as object), entry: [...(Array.isArray(given) ? (given as unknown[]) : [given]), entry] };
}

const reportsOf = (body: unknown): WebhookReport[] => readWebhook(JSON.stringify(body), NOW).reports;

describe('A randomly mutated webhook body', () => {
  it('is read without an error into storable values', () => {
    fc.assert(
      fc.property(changedWebhooks, (body) => {
        for (const report of reportsOf(body)) {
          const text = JSON.stringify(report.messages) + JSON.stringify(report.statuses);
          expect(text).not.toMatch(/\\u0000|\\ud[89a-f]/);
          for (const { platformMessageId, phone, userId, at } of report.messages) {
            expect(platformMessageId.length).toBeLessThanOrEqual(512);
            expect(phone ?? userId).not.toBeNull();
            expect(at.getTime()).toBeLessThanOrEqual(NOW.getTime());
          }
        }
      }),
      { numRuns: 800, seed: 20261120 },
    );
  });

  it('keeps every valid update next to an invalid one', () => {
    fc.assert(
      fc.property(changedWebhooks, (body) => {
        const reports = reportsOf(withValidUpdates(body));
        expect(reports.at(-1)).toMatchObject({
          statuses: [{ platformMessageId: 'wamid.good' }],
          messages: [{ platformMessageId: 'wamid.good', content: { text: 'good' } }],
          notices: [{ kind: 'preference' }],
        });
      }),
      { numRuns: 400, seed: 20261121 },
    );
  });
});
