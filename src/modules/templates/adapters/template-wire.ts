import { z } from 'zod';
import type { PlatformTemplate, QualityRating, TemplateCategory, TemplateStatus } from '../domain/template';
import type {
  ButtonType,
  CardHeaderFormat,
  HeaderFormat,
  TemplateButton,
  TemplateCard,
  TemplateComponents,
  TemplateOffer,
} from '../domain/template-components';
import type { SyncFailure } from '../domain/template-directory.port';

const CATEGORIES: Record<string, TemplateCategory> = {
  MARKETING: 'Marketing',
  UTILITY: 'Utility',
  AUTHENTICATION: 'Authentication',
};

/** Maps the platform's statuses: an appealed template is under review again, and one being deleted cannot be sent. */
const STATUSES: Record<string, TemplateStatus> = {
  APPROVED: 'Approved',
  ARCHIVED: 'Archived',
  DELETED: 'Deleted',
  DISABLED: 'Disabled',
  IN_APPEAL: 'Pending',
  LIMIT_EXCEEDED: 'Disabled',
  PAUSED: 'Paused',
  PENDING: 'Pending',
  PENDING_DELETION: 'Deleted',
  REJECTED: 'Rejected',
};

const QUALITY_RATINGS: Record<string, QualityRating> = {
  GREEN: 'Green',
  YELLOW: 'Yellow',
  RED: 'Red',
  UNKNOWN: 'Unknown',
};

const HEADER_FORMATS: Record<string, HeaderFormat> = {
  TEXT: 'Text',
  IMAGE: 'Image',
  VIDEO: 'Video',
  DOCUMENT: 'Document',
  LOCATION: 'Location',
  PRODUCT: 'Product',
};

const CARD_HEADER_FORMATS: Record<string, CardHeaderFormat> = { IMAGE: 'Image', VIDEO: 'Video', PRODUCT: 'Product' };

const BUTTON_TYPES: Record<string, ButtonType> = {
  QUICK_REPLY: 'QuickReply',
  URL: 'Url',
  PHONE_NUMBER: 'PhoneNumber',
  COPY_CODE: 'CopyCode',
  OTP: 'Otp',
  FLOW: 'Flow',
  CATALOG: 'Catalog',
  MPM: 'MultiProduct',
  SPM: 'Product',
  VOICE_CALL: 'VoiceCall',
  REQUEST_CONTACT_INFO: 'RequestContactInfo',
};

const SENDABLE_COMPONENTS = [
  ...['HEADER', 'BODY', 'FOOTER', 'BUTTONS'],
  ...['CALL_PERMISSION_REQUEST', 'LIMITED_TIME_OFFER', 'CAROUSEL'],
];
/** Sub-categories that look like an ordinary text but need an order status when sending. */
const ORDER_STATUS = /^(RICH_)?ORDER_STATUS$/;

const upper = z.string().transform((text) => text.toUpperCase());
// NUL and lone surrogates are valid JSON, but PostgreSQL cannot store them.
const text = z.string().transform((value) => value.replace(/\0|\p{Cs}/gu, '\uFFFD'));
const id = z.union([z.string(), z.number().transform(String)]);

const buttonSchema = z.object({
  type: upper,
  text: text.nullish(),
  url: text.nullish(),
  phone_number: text.nullish(),
});

const partSchema = z.object({
  type: upper,
  format: upper.nullish(),
  text: text.nullish(),
  buttons: z.array(buttonSchema).nullish(),
});

const componentSchema = partSchema.extend({
  limited_time_offer: z.object({ text: text.nullish(), has_expiration: z.boolean().nullish() }).nullish(),
  cards: z.array(z.object({ components: z.array(partSchema) })).nullish(),
});

const templateSchema = z.object({
  id: id.nullish(),
  name: text.pipe(z.string().min(1)),
  language: text.pipe(z.string().min(1)),
  status: upper,
  category: upper,
  sub_category: upper.nullish().catch(null),
  parameter_format: upper.nullish(),
  components: z.array(componentSchema).nullish(),
  quality_score: z.object({ score: upper.nullish() }).nullish().catch(null),
  rejected_reason: text.nullish().catch(null),
  source: upper.nullish().catch(null),
});

const identitySchema = z.object({ name: text.nullish().catch(null), language: text.nullish().catch(null) }).catch({});

type WirePart = z.infer<typeof partSchema>;
type WireComponent = z.infer<typeof componentSchema>;
type WireTemplate = z.infer<typeof templateSchema>;
type WireButton = z.infer<typeof buttonSchema>;

/** The platform's names of the fields that readTemplate needs. */
export const TEMPLATE_FIELDS =
  'id,name,language,status,category,sub_category,parameter_format,components,quality_score,rejected_reason,source';

/** Maps a status of the platform; undefined if it is unknown. */
export function readStatus(word: string): TemplateStatus | undefined {
  return STATUSES[word.toUpperCase()];
}

/** Maps a category of the platform; undefined if it is unknown. */
export function readCategory(word: string): TemplateCategory | undefined {
  return CATEGORIES[word.toUpperCase()];
}

/** Reads one entry of the platform's list; an unreadable entry becomes a failure with the reason. */
export function readTemplate(entry: unknown): PlatformTemplate | SyncFailure {
  const parsed = templateSchema.safeParse(entry);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return failureOf(entry, `${issue?.path.join('.') || 'entry'}: ${issue?.message ?? 'not understood'}`);
  }
  const wire = parsed.data;
  const status = readStatus(wire.status);
  if (!status) return failureOf(entry, `unknown status ${wire.status}`);
  const category = readCategory(wire.category);
  if (!category) return failureOf(entry, `unknown category ${wire.category}`);
  return {
    platformTemplateId: wire.id ?? null,
    name: wire.name,
    languageCode: wire.language,
    category,
    status,
    qualityRating: QUALITY_RATINGS[wire.quality_score?.score ?? ''] ?? null,
    rejectionReason: wire.rejected_reason && wire.rejected_reason !== 'NONE' ? wire.rejected_reason : null,
    source: wire.source === 'AUTO_GENERATED' ? 'AutoGenerated' : 'Authored',
    components: componentsOf(wire, category),
  };
}

/** Whether reading an entry failed. */
export function isFailure(read: PlatformTemplate | SyncFailure): read is SyncFailure {
  return 'reason' in read;
}

function failureOf(entry: unknown, reason: string): SyncFailure {
  const { name, language } = identitySchema.parse(entry);
  return { name: name ?? null, languageCode: language ?? null, reason };
}

function componentsOf(wire: WireTemplate, category: TemplateCategory): TemplateComponents {
  const components = wire.components ?? [];
  const part = (type: string) => components.find((component) => component.type === type);
  const header = part('HEADER');
  const buttons = (part('BUTTONS')?.buttons ?? []).map((button) => buttonOf(button, category));
  const unsupported = components.flatMap(({ type }) => (SENDABLE_COMPONENTS.includes(type) ? [] : [nameOf(type)]));
  if (ORDER_STATUS.test(wire.sub_category ?? '')) unsupported.push('order status');
  const headerFormat = header ? HEADER_FORMATS[header.format ?? 'TEXT'] : 'None';
  if (headerFormat === undefined) unsupported.push(`${nameOf(header?.format ?? '')} header`);
  unsupported.push(...unknownButtons(part('BUTTONS')));
  const offer = part('LIMITED_TIME_OFFER');
  const cards = (part('CAROUSEL')?.cards ?? []).map((card) => cardOf(card.components, category, unsupported));
  if (part('CAROUSEL') && cards.length < 2) unsupported.push('carousel without cards');
  return {
    parameterFormat: wire.parameter_format === 'NAMED' ? 'Named' : 'Positional',
    headerFormat: headerFormat ?? 'None',
    headerText: headerFormat === 'Text' ? (header?.text ?? null) : null,
    bodyText: bodyOf(part('BODY'), category),
    footerText: part('FOOTER')?.text ?? null,
    buttons,
    offer: offer ? offerOf(offer) : null,
    cards,
    ...(part('CALL_PERMISSION_REQUEST') && { callPermissionRequest: true }),
    unsupported: [...new Set(unsupported)],
  };
}

function offerOf({ limited_time_offer: offer }: WireComponent): TemplateOffer {
  return { text: offer?.text ?? '', hasExpiration: offer?.has_expiration ?? false };
}

/** Reads a card; adds parts that cannot be sent to `unsupported`. */
function cardOf(parts: readonly WirePart[], category: TemplateCategory, unsupported: string[]): TemplateCard {
  const part = (type: string) => parts.find((component) => component.type === type);
  const format = part('HEADER')?.format ?? 'none';
  const headerFormat = CARD_HEADER_FORMATS[format];
  if (headerFormat === undefined) unsupported.push(`${nameOf(format)} header of a card`);
  unsupported.push(...unknownButtons(part('BUTTONS')));
  return {
    headerFormat: headerFormat ?? 'Image',
    bodyText: part('BODY')?.text ?? null,
    buttons: (part('BUTTONS')?.buttons ?? []).map((button) => buttonOf(button, category)),
  };
}

function unknownButtons(buttons: WirePart | undefined): string[] {
  return (buttons?.buttons ?? []).flatMap(({ type }) => (BUTTON_TYPES[type] ? [] : [`${nameOf(type)} button`]));
}

/** The platform generates the text of an authentication template, and the list may not contain it. */
function bodyOf(body: WirePart | undefined, category: TemplateCategory): string {
  return body?.text || (category === 'Authentication' ? '*{{1}}*' : '');
}

function buttonOf(button: WireButton, category: TemplateCategory): TemplateButton {
  const type = BUTTON_TYPES[button.type] ?? 'Other';
  const url = button.url ?? null;
  return {
    // The platform lists the button of an authentication template as a link whose variable is the password.
    type: type === 'Url' && category === 'Authentication' && url?.includes('{{') ? 'Otp' : type,
    text: button.text ?? '',
    url,
    phoneNumber: button.phone_number ?? null,
  };
}

/** Formats a name such as `LIMITED_TIME_OFFER` for messages. */
function nameOf(type: string): string {
  return type.toLowerCase().replaceAll('_', ' ');
}
