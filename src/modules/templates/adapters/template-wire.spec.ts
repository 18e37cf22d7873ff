import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SendableTemplate } from '../domain/sendable-template';
import { sameComponents } from '../domain/template-components';
import type { PlatformTemplate } from '../domain/template';
import { isFailure, readTemplate } from './template-wire';

const example = JSON.parse(readFileSync(join(__dirname, '../fixtures/27-templates-list.response.json'), 'utf8')).body;
const body = { type: 'BODY', text: 'Hello {{1}}' };
const entry = (fields: object) => ({
  ...{ id: '77', name: 'n', language: 'de', status: 'APPROVED', category: 'UTILITY', components: [body] },
  ...fields,
});

function read(value: unknown): PlatformTemplate {
  const template = readTemplate(value);
  if (isFailure(template)) throw new Error(template.reason);
  return template;
}

describe('readTemplate', () => {
  it("reads the platform's own example", () => {
    expect(read(example.data[0])).toEqual({
      platformTemplateId: '771000000000001',
      name: 'parcel_on_the_way',
      languageCode: 'de',
      category: 'Utility',
      status: 'Approved',
      qualityRating: 'Green',
      rejectionReason: null,
      source: 'Authored',
      components: {
        parameterFormat: 'Positional',
        headerFormat: 'Document',
        headerText: null,
        bodyText: 'Hello {{1}}, parcel {{2}} arrives on {{3}}. Fee: {{4}} in total.',
        footerText: 'Sample Parcels',
        buttons: [
          { type: 'Url', text: 'Track', url: 'https://track.example.test/{{1}}', phoneNumber: null },
          { type: 'QuickReply', text: 'Stop', url: null, phoneNumber: null },
        ],
        offer: null,
        cards: [],
        unsupported: [],
      },
    });
    expect(read(example.data[1])).toMatchObject({
      status: 'Rejected',
      rejectionReason: 'INVALID_FORMAT',
      qualityRating: null,
      components: { parameterFormat: 'Named', headerFormat: 'Location', offer: null, cards: [], unsupported: [] },
    });
  });

  it.each([
    ['APPROVED', 'Approved'],
    ['approved', 'Approved'],
    ['ARCHIVED', 'Archived'],
    ['DELETED', 'Deleted'],
    ['DISABLED', 'Disabled'],
    ['IN_APPEAL', 'Pending'],
    ['LIMIT_EXCEEDED', 'Disabled'],
    ['PAUSED', 'Paused'],
    ['PENDING', 'Pending'],
    ['PENDING_DELETION', 'Deleted'],
    ['REJECTED', 'Rejected'],
  ])('reads the status %s as %s', (status, ours) => {
    expect(read(entry({ status })).status).toBe(ours);
  });

  it.each([
    [entry({ status: 'FROZEN' }), 'unknown status FROZEN'],
    [entry({ category: 'OTP' }), 'unknown category OTP'],
    [entry({ components: 'none' }), expect.stringContaining('components')],
    [entry({ status: undefined }), expect.stringContaining('status')],
  ])('reports unreadable entries by name: %j', (value, reason) => {
    expect(readTemplate(value)).toEqual({ name: 'n', languageCode: 'de', reason });
  });

  it.each([[null], ['x'], [{}], [{ name: 7 }]])('reports %j without a name', (value) => {
    expect(readTemplate(value)).toMatchObject({ name: null, languageCode: null });
  });

  it('tolerates missing and new fields', () => {
    const template = read({ ...entry({ id: 771, quality_score: 'GREEN', surprise: {} }), rejected_reason: null });
    expect(template).toMatchObject({ platformTemplateId: '771', qualityRating: null, rejectionReason: null });
    expect(template.components.parameterFormat).toBe('Positional');
    expect(read(entry({ components: undefined })).components.bodyText).toBe('');
  });

  it('reads the link of an authentication template as its one-time password', () => {
    const url = 'https://www.example.test/otp/code/?otp_type=COPY_CODE&code=otp{{1}}';
    const buttons = { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy code', url }] };
    const components = [{ type: 'BODY', text: '*{{1}}* is your verification code.' }, buttons];
    const login = read(entry({ category: 'AUTHENTICATION', components }));
    expect(login.components.buttons[0]?.type).toBe('Otp');
    const otp = { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'ONE_TAP' }] };
    const silent = read(entry({ category: 'AUTHENTICATION', components: [{ type: 'BODY' }, otp] }));
    for (const template of [login, silent]) {
      const sendable = new SendableTemplate({ ...template, revisionId: 'r' });
      expect(sendable.valueCount).toBe(1);
      expect(sendable.fill({ values: ['1'], extras: null, messageId: 'm-1' }).components).toHaveLength(2);
    }
  });

  it.each([
    [{ type: 'CAROUSEL', cards: [] }, 'carousel without cards'],
    [{ type: 'ORDER' }, 'order'],
    [{ type: 'HEADER', format: 'GIF' }, 'gif header'],
    [{ type: 'BUTTONS', buttons: [{ type: 'ORDER_DETAILS' }] }, 'order details button'],
  ])('does not support %j', (component, part) => {
    expect(read(entry({ components: [body, component] })).components.unsupported).toEqual([part]);
  });

  it('detects an order status, which looks like an ordinary text, by its sub-category', () => {
    const parts = (sub_category: unknown) =>
      read({ ...entry({ components: [body] }), sub_category }).components.unsupported;
    expect(parts('ORDER_STATUS')).toEqual(['order status']);
    for (const other of ['CUSTOM', undefined, null, 7]) expect(parts(other)).toEqual([]);
  });

  it('reads an offer, a product header and the cards of a carousel', () => {
    const offer = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon!', has_expiration: true } };
    expect(read(entry({ components: [body, offer] })).components).toMatchObject({
      offer: { text: 'Ends soon!', hasExpiration: true },
      unsupported: [],
    });
    const header = { type: 'HEADER', format: 'PRODUCT' };
    expect(read(entry({ components: [body, header] })).components).toMatchObject({
      headerFormat: 'Product',
      unsupported: [],
    });
    const components = [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Only {{1}} left' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Shop', url: 'https://x.test/{{1}}' }] },
    ];
    const carousel = { type: 'carousel', cards: [{ components }, { components }] };
    const card = {
      ...{ headerFormat: 'Image', bodyText: 'Only {{1}} left' },
      buttons: [{ type: 'Url', text: 'Shop', url: 'https://x.test/{{1}}', phoneNumber: null }],
    };
    expect(read(entry({ components: [body, carousel] })).components).toMatchObject({
      cards: [card, card],
      unsupported: [],
    });
  });

  it('reads who made a template', () => {
    expect(read(entry({ components: [body] })).source).toBe('Authored');
    expect(read({ ...entry({ components: [body] }), source: 'AUTO_GENERATED' }).source).toBe('AutoGenerated');
  });

  it('supports a request for permission to call', () => {
    const components = [body, { type: 'CALL_PERMISSION_REQUEST' }];
    const requesting = read(entry({ components })).components;
    expect(requesting).toMatchObject({ callPermissionRequest: true, unsupported: [] });
    const without = read(entry({ components: [body] })).components;
    expect(without).not.toHaveProperty('callPermissionRequest');
    expect(sameComponents(requesting, without)).toBe(false);
  });

  it.each([
    'QUICK_REPLY',
    'PHONE_NUMBER',
    'VOICE_CALL',
    'REQUEST_CONTACT_INFO',
    'COPY_CODE',
    'URL',
    'FLOW',
    'CATALOG',
    'MPM',
    'SPM',
  ])('supports a button %s', (type) => {
    const buttons = [{ type, text: 'x', url: 'https://x.test' }];
    expect(read(entry({ components: [body, { type: 'BUTTONS', buttons }] })).components.unsupported).toEqual([]);
  });

  it('replaces characters that the database cannot store', () => {
    const template = read(entry({ components: [{ type: 'BODY', text: 'a\0b\ud800' }] }));
    expect(template.components.bodyText).toBe('a\ufffdb\ufffd');
  });

  it('reads no text for a header image and ignores links that change with every read', () => {
    const header = (handle: string) => [{ type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } }];
    expect(read(entry({ components: header('https://a.test') }))).toEqual(
      read(entry({ components: header('https://b.test') })),
    );
  });
});
