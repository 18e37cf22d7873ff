import type { JsonObject } from '../http/exchange';
import type { Template, TemplateCategory, TemplateDraft, TemplateStatus } from './template';
import type { TemplateBook } from './template-book';

interface Seed {
  name: string;
  language: string;
  category: TemplateCategory;
  components: JsonObject[];
  parameterFormat?: 'NAMED';
  status?: TemplateStatus;
  rejectedReason?: string;
  quality?: Template['quality']['score'];
}

const body = (text: string, ...examples: string[]): JsonObject => ({
  type: 'BODY',
  text,
  ...(examples.length > 0 && { example: { body_text: [examples] } }),
});

const namedBody = (text: string, examples: Record<string, string>): JsonObject => ({
  type: 'BODY',
  text,
  example: {
    body_text_named_params: Object.entries(examples).map(([param_name, example]) => ({ param_name, example })),
  },
});

const footer = (text: string): JsonObject => ({ type: 'FOOTER', text });

const mediaHeader = (format: string): JsonObject => ({
  type: 'HEADER',
  format,
  example: { header_handle: [`https://media.example.test/h/${format.toLowerCase()}`] },
});

const buttons = (...list: JsonObject[]): JsonObject => ({ type: 'BUTTONS', buttons: list });

const urlButton = (text: string, base: string, example: string): JsonObject => ({
  ...{ type: 'URL', text, url: `${base}{{1}}`, example: [`${base}${example}`] },
});

const quickReply = (text: string): JsonObject => ({ type: 'QUICK_REPLY', text });

const SEEDS: Seed[] = [
  {
    name: 'hello_world',
    language: 'en_US',
    category: 'UTILITY',
    quality: 'GREEN',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Hello World' },
      body('Welcome and congratulations!! This message demonstrates that your number can send template messages.'),
      footer('Sample message'),
    ],
  },
  {
    name: 'order_update',
    language: 'en_US',
    category: 'UTILITY',
    quality: 'GREEN',
    components: [body('Hello {{1}}, your order {{2}} is on its way.', 'Mira', 'A-1001')],
  },
  {
    name: 'delivery_window',
    language: 'en_US',
    category: 'UTILITY',
    quality: 'GREEN',
    components: [
      body('Hello {{1}}, parcel {{2}} arrives on {{3}}. Please be at home.', 'Mira', 'PK-1', 'Monday'),
      footer('Sample Parcels'),
    ],
  },
  {
    name: 'appointment_reminder',
    language: 'en_US',
    category: 'UTILITY',
    quality: 'GREEN',
    components: [body('Dear {{1}}, we see you at {{2}} tomorrow.', 'Mira', '09:30')],
  },
  {
    name: 'appointment_reminder',
    language: 'de',
    category: 'UTILITY',
    quality: 'GREEN',
    components: [body('Hallo {{1}}, wir sehen uns morgen um {{2}} Uhr.', 'Mira', '09:30')],
  },
  {
    name: 'summer_sale',
    language: 'en_US',
    category: 'MARKETING',
    quality: 'YELLOW',
    components: [
      mediaHeader('IMAGE'),
      body('Hi {{1}}, our sale has begun and you are invited.', 'Mira'),
      footer('Reply STOP to unsubscribe'),
      buttons(quickReply('Show me'), quickReply('Stop')),
    ],
  },
  {
    name: 'product_video',
    language: 'en_US',
    category: 'MARKETING',
    quality: 'UNKNOWN',
    components: [mediaHeader('VIDEO'), body('See what is new this week.')],
  },
  {
    name: 'invoice_ready',
    language: 'en_US',
    category: 'UTILITY',
    quality: 'GREEN',
    components: [mediaHeader('DOCUMENT'), body('Hello {{1}}, invoice {{2}} is attached.', 'Mira', 'INV-7')],
  },
  {
    name: 'parcel_tracking',
    language: 'en_US',
    category: 'UTILITY',
    quality: 'GREEN',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Parcel {{1}}', example: { header_text: ['PK-1'] } },
      body('Hello {{1}}, your parcel has left {{2}} today.', 'Mira', 'Berlin'),
      buttons(urlButton('Track', 'https://track.example.test/', 'PK-1'), quickReply('Stop')),
    ],
  },
  {
    name: 'appointment_note',
    language: 'en_US',
    category: 'UTILITY',
    parameterFormat: 'NAMED',
    quality: 'GREEN',
    components: [
      namedBody('Dear {{first_name}}, see you at {{starts_at}} today.', { first_name: 'Mira', starts_at: '09:30' }),
    ],
  },
  {
    name: 'login_code',
    language: 'en_US',
    category: 'AUTHENTICATION',
    quality: 'GREEN',
    components: [
      { type: 'BODY', text: '*{{1}}* is your verification code.', add_security_recommendation: true },
      { type: 'FOOTER', text: 'This code expires in 10 minutes.', code_expiration_minutes: 10 },
      buttons({ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }),
    ],
  },
  {
    name: 'winter_coupon',
    language: 'en_US',
    category: 'MARKETING',
    quality: 'GREEN',
    components: [
      body('Hi {{1}}, here is your winter discount for you.', 'Mira'),
      buttons({ type: 'COPY_CODE', text: 'Copy offer code', example: ['WINTER20'] }),
    ],
  },
  {
    name: 'shop_visit',
    language: 'en_US',
    category: 'UTILITY',
    quality: 'GREEN',
    components: [{ type: 'HEADER', format: 'LOCATION' }, body('Your order {{1}} waits in our shop.', 'A-1001')],
  },
  {
    name: 'new_arrivals',
    language: 'en_US',
    category: 'MARKETING',
    quality: 'GREEN',
    components: [
      body('Hi {{1}}, look what has arrived.', 'Mira'),
      {
        type: 'CAROUSEL',
        cards: [1, 2].map((number) => ({
          components: [
            mediaHeader('IMAGE'),
            body(`Piece number ${number} of the collection`),
            buttons(urlButton('View', 'https://shop.example.test/', `sku-${number}`)),
          ],
        })),
      },
    ],
  },
  {
    name: 'weekend_offer',
    language: 'en_US',
    category: 'MARKETING',
    quality: 'GREEN',
    components: [
      { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon', has_expiration: true } },
      body('Hi {{1}}, this weekend only for you.', 'Mira'),
      buttons(
        { type: 'COPY_CODE', text: 'Copy offer code', example: ['WEEKEND'] },
        urlButton('Shop', 'https://shop.example.test/', 'weekend'),
      ),
    ],
  },
  {
    name: 'book_appointment',
    language: 'en_US',
    category: 'UTILITY',
    quality: 'GREEN',
    components: [
      body('Hi {{1}}, choose the day of your appointment.', 'Mira'),
      buttons({
        type: 'FLOW',
        text: 'Book',
        flow_id: '600000000000001',
        flow_action: 'navigate',
        navigate_screen: 'DAY',
      }),
    ],
  },
  {
    name: 'spring_catalog',
    language: 'en_US',
    category: 'MARKETING',
    quality: 'GREEN',
    components: [
      body('Hi {{1}}, our spring catalog is out.', 'Mira'),
      buttons({ type: 'CATALOG', text: 'View catalog' }),
    ],
  },
  {
    name: 'top_sellers',
    language: 'en_US',
    category: 'MARKETING',
    quality: 'GREEN',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Top sellers' },
      body('Hi {{1}}, what others like.', 'Mira'),
      buttons({ type: 'MPM', text: 'View items' }),
    ],
  },
  {
    name: 'product_of_the_day',
    language: 'en_US',
    category: 'MARKETING',
    quality: 'GREEN',
    components: [
      { type: 'HEADER', format: 'PRODUCT' },
      body('Hi {{1}}, today only.', 'Mira'),
      buttons({ type: 'SPM', text: 'View' }),
    ],
  },
  {
    name: 'product_picks',
    language: 'en_US',
    category: 'MARKETING',
    quality: 'GREEN',
    components: [
      body('Hi {{1}}, picked for you.', 'Mira'),
      {
        type: 'CAROUSEL',
        cards: [1, 2].map(() => ({
          components: [{ type: 'HEADER', format: 'PRODUCT' }, buttons({ type: 'SPM', text: 'View' })],
        })),
      },
    ],
  },
  {
    name: 'order_payment',
    language: 'en_US',
    category: 'UTILITY',
    quality: 'GREEN',
    components: [
      body('Hi {{1}}, please review your order.', 'Mira'),
      buttons({ type: 'ORDER_DETAILS', text: 'Review and Pay' }),
    ],
  },
  {
    name: 'pending_notice',
    language: 'en_US',
    category: 'UTILITY',
    status: 'PENDING',
    components: [body('Hello {{1}}, this text is still in review.', 'Mira')],
  },
  {
    name: 'rejected_notice',
    language: 'en_US',
    category: 'MARKETING',
    status: 'REJECTED',
    rejectedReason: 'INVALID_FORMAT',
    components: [body('Hello {{1}}, this text was turned down.', 'Mira')],
  },
  {
    name: 'paused_notice',
    language: 'en_US',
    category: 'MARKETING',
    status: 'PAUSED',
    quality: 'RED',
    components: [body('Hello {{1}}, too many people did not like this text.', 'Mira')],
  },
  {
    name: 'disabled_notice',
    language: 'en_US',
    category: 'MARKETING',
    status: 'DISABLED',
    quality: 'RED',
    components: [body('Hello {{1}}, this text may not be sent any more.', 'Mira')],
  },
];

/** Adds the templates listed in the README to a new account. */
export function seedTemplates(book: TemplateBook): void {
  for (const seed of SEEDS) {
    const draft: TemplateDraft = {
      name: seed.name,
      language: seed.language,
      category: seed.category,
      parameterFormat: seed.parameterFormat ?? 'POSITIONAL',
      components: structuredClone(seed.components),
    };
    const template = book.add(draft, seed.status ?? 'APPROVED');
    template.createdAt = 0;
    template.quality.score = seed.quality ?? 'UNKNOWN';
    template.rejectedReason = seed.rejectedReason ?? 'NONE';
  }
}
