import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readWebhook } from './cloud-api-webhook-protocol';

const FIXTURES = join(__dirname, '../fixtures');
const NOW = new Date('2026-12-01T00:00:00Z');
const TIME = 1_795_191_000;
const PARCEL = { platformTemplateId: '771000000000001', name: 'parcel_on_the_way', languageCode: 'de' };

const noticesIn = (body: unknown) => readWebhook(JSON.stringify(body), NOW).reports.flatMap(({ notices }) => notices);
const noticesOfExample = (example: number) => {
  const name = readdirSync(FIXTURES).find((file) => file.startsWith(`${example}-`))!;
  const parsed = JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')) as unknown;
  return (Array.isArray(parsed) ? parsed : [parsed]).flatMap(noticesIn);
};
const noticesOf = (field: string, value: object, time: unknown = TIME) =>
  noticesIn({ entry: [{ id: '1', time, changes: [{ field, value }] }] });
const changeOf = (field: string, value: object) =>
  noticesOf(field, { message_template_id: 7, message_template_name: 'promo', ...value }).map((notice) =>
    notice.kind === 'template' ? notice.report.change : notice.kind,
  );

describe('A platform notice', () => {
  it('may pause a template (example 24)', () => {
    expect(noticesOfExample(24)).toEqual([
      {
        kind: 'template',
        report: { ...PARCEL, at: new Date(TIME * 1000), change: { kind: 'status', status: 'Paused', reason: 'NONE' } },
      },
    ]);
  });

  it('may be about quality, category, limits and the account (example 25)', () => {
    expect(noticesOfExample(25)).toMatchObject([
      { kind: 'template', report: { ...PARCEL, change: { kind: 'quality', rating: 'Yellow' } } },
      // The wrong category applies until the platform changes it.
      { kind: 'template', report: { ...PARCEL, change: { kind: 'category', category: 'Utility' } } },
      { kind: 'event', event: { kind: 'template_category_update' } },
      { kind: 'limits' },
      { kind: 'limits' },
      { kind: 'event', event: { kind: 'account_update' } },
      { kind: 'event', event: { kind: 'account_alerts' } },
    ]);
  });

  it('may be a marketing preference (example 26)', () => {
    expect(noticesOfExample(26)).toEqual([
      {
        kind: 'preference',
        phoneNumberId: '109876543210001',
        preference: { phone: '4915112345678', userId: null, stop: true, at: new Date(1_795_191_600_000) },
      },
    ]);
  });

  it.each([
    ['APPROVED', 'Approved'],
    ['REINSTATED', 'Approved'],
    ['REJECTED', 'Rejected'],
    ['DISABLED', 'Disabled'],
    ['PENDING_DELETION', 'Deleted'],
  ])('%s makes a template %s', (event, status) => {
    expect(changeOf('message_template_status_update', { event, reason: 'X' })).toEqual([
      { kind: 'status', status, reason: 'X' },
    ]);
  });

  it("explains a rejection in the platform's words", () => {
    const rejection_info = { reason: 'Two parameters touch.', recommendation: 'Put words between them.' };
    expect(
      changeOf('message_template_status_update', { event: 'REJECTED', reason: 'INVALID_FORMAT', rejection_info }),
    ).toMatchObject([{ reason: 'INVALID_FORMAT: Two parameters touch. Put words between them.' }]);
  });

  it('alerts the operator to a new category, which has another price', () => {
    const value = { message_template_id: 7, new_category: 'UTILITY', correct_category: 'MARKETING' };
    expect(noticesOf('template_category_update', value)).toMatchObject([
      { kind: 'template', report: { change: { kind: 'category', category: 'Utility' } } },
      { kind: 'event', event: { alert: 'NEW_CATEGORY_IN_24_HOURS MARKETING' } },
    ]);
  });

  it.each([
    ['FLAGGED', {}],
    ['LOCKED', {}],
    ['UNARCHIVED', {}],
    ['SOMETHING_NEW', {}],
    ['constructor', {}],
    ['PAUSED', { other_info: { title: 'UNPAUSE' } }],
  ])('makes the template be read again if %s does not determine its status', (event, more) => {
    expect(changeOf('message_template_status_update', { event, ...more })).toEqual([{ kind: 'contents' }]);
  });

  it("is recognised by its keys if the field name is wrong, as in the platform's samples", () => {
    expect(changeOf('message_template_status_update', { new_quality_score: 'RED' })).toEqual([
      { kind: 'quality', rating: 'Red' },
    ]);
    expect(changeOf('message_template_components_update', { message_template_element: 'Hi' })).toEqual([
      { kind: 'contents' },
    ]);
  });

  it('identifies the template as the list does, even with ids too large for a double', () => {
    const text = JSON.stringify({
      entry: [
        {
          id: '1',
          changes: [
            {
              field: 'message_template_status_update',
              value: { event: 'APPROVED', message_template_id: 'ID', message_template_language: 'en-US' },
            },
          ],
        },
      ],
    }).replace('"ID"', '90071992547409931');

    expect(readWebhook(text, NOW).reports[0]!.notices).toMatchObject([
      { report: { platformTemplateId: '90071992547409931', name: null, languageCode: 'en_US', at: NOW } },
    ]);
  });

  it('may resume marketing for one of several people', () => {
    const preferences = [
      { wa_id: '4915112345678', value: 'resume', timestamp: '1795191600' },
      { user_id: 'DE.1', value: 'STOP', timestamp: 9e12 },
      { wa_id: 'nobody', value: 'stop' },
      { wa_id: '4915112345678', value: 'perhaps' },
      { wa_id: '4915112345678', value: 'stop', category: 'calls' },
    ];
    const metadata = { phone_number_id: '11' };

    expect(noticesOf('user_preferences', { metadata, user_preferences: preferences })).toMatchObject([
      { phoneNumberId: '11', preference: { phone: '4915112345678', stop: false } },
      { phoneNumberId: '11', preference: { phone: null, userId: 'DE.1', stop: true, at: NOW } },
      // The unreadable rest.
      { kind: 'event', event: { kind: 'user_preferences' } },
    ]);
  });

  it.each([
    ['a template without a name', 'message_template_status_update', { event: 'PAUSED' }],
    ['a preference without a person', 'user_preferences', { user_preferences: [{ value: 'stop' }] }],
    ['no preference', 'user_preferences', { user_preferences: 'none' }],
    ['an unknown field', 'something_new', { a: 1 }],
    ['an unused field', 'history', []],
  ])('is stored as an event if it has %s', (_, field, value) => {
    expect(noticesOf(field, value)).toMatchObject([{ kind: 'event', event: { kind: field, alert: null } }]);
  });

  it.each([
    [
      'account_update',
      { event: 'ACCOUNT_RESTRICTION', restriction_info: [{ restriction_type: 'RESTRICTED_UTILITY_TEMPLATES' }] },
      'ACCOUNT_RESTRICTION RESTRICTED_UTILITY_TEMPLATES',
    ],
    [
      'account_update',
      { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'ADULT' } },
      'ACCOUNT_VIOLATION ADULT',
    ],
    ['account_alerts', { alert_severity: 'CRITICAL', alert_type: 'OBA', alert_description: 'Of Mira' }, 'CRITICAL OBA'],
    ['account_review_update', { decision: 'REJECTED' }, 'REJECTED'],
    ['security', { event: 'PIN_CHANGED', requester: '4915112345678' }, 'PIN_CHANGED'],
    ['security', { event: 'by Mira, 4915112345678' }, 'without a reason'],
  ])('that requires attention has an alert without personal data: %s', (field, value, alert) => {
    expect(noticesOf(field, value)).toMatchObject([{ kind: 'event', event: { alert } }]);
  });
});
