import type { BubbleContent } from '../../ui/bubble/bubble-content';
import { MessageBubble } from '../../ui/bubble/message-bubble';
import { bubbleOfMessage } from '../../ui/bubble/message-content';
import { bubbleOfTemplate, type TemplateContents } from '../../ui/bubble/template-values';
import { Panel } from '../../ui/panel';

const PARCEL: TemplateContents = {
  parameterFormat: 'Positional',
  headerFormat: 'Text',
  headerText: 'Parcel {{1}}',
  bodyText: 'Hello *{{1}}*, your parcel arrives on {{2}}.\n\nWe leave it:\n- at your door\n- with a neighbour',
  footerText: 'Reply STOP to unsubscribe',
  buttons: [
    { type: 'Url', text: 'Track it', url: 'https://example.com/{{1}}', phoneNumber: null },
    { type: 'PhoneNumber', text: 'Call us', url: null, phoneNumber: '+4930900000001' },
  ],
};
const SALE: TemplateContents = {
  ...PARCEL,
  headerFormat: 'Image',
  bodyText: 'Hello {{1}}, our sale has begun.',
  footerText: null,
  buttons: [{ type: 'CopyCode', text: 'Copy code', url: null, phoneNumber: null }],
  offer: { text: 'Ends tonight!', hasExpiration: true },
};
const CAROUSEL: TemplateContents = {
  ...{ parameterFormat: 'Positional', headerFormat: 'None', headerText: null, footerText: null, buttons: [] },
  bodyText: 'Hello {{1}}, new this week:',
  cards: ['Only {{1}} left of the *red* one', 'The blue one', 'The green one'].map((bodyText) => ({
    ...{ headerFormat: 'Image', bodyText },
    buttons: [
      { type: 'QuickReply', text: 'Tell me more', url: null, phoneNumber: null },
      { type: 'Url', text: 'Shop', url: 'https://example.com/{{1}}', phoneNumber: null },
    ],
  })),
};
const TEXTS: BubbleContent[] = [
  { body: 'Is *bold*, _italic_, ~struck~ and `code`. Look at https://example.com/a_b_c.' },
  { body: 'שלום! ההזמנה שלך *בדרך* 📦', buttons: [{ kind: 'reply', text: 'תודה' }] },
  {
    header: { kind: 'document', fileName: 'Donaudampfschifffahrtsgesellschaftsrechnung-2026-11.pdf' },
    body: 'Your invoice.',
  },
  { header: { kind: 'location', name: 'Shop at the river', address: 'Uferstraße 12, Berlin' }, body: '' },
  bubbleOfMessage({ type: 'Text', content: { revokedAt: '2026-11-23T09:40:00.000Z' }, renderedText: null }),
];

/** Examples of message bubbles. */
export function Bubbles() {
  return (
    <Panel title="Messages">
      <div className="bubble-wall">
        <MessageBubble content={bubbleOfTemplate(PARCEL)} />
        <MessageBubble
          content={bubbleOfTemplate({ ...PARCEL, headerFormat: 'Image' }, ['PK-7', 'Mira', 'Monday', 'PK-7'])}
          at="2026-11-23T09:41:00.000Z"
          status="Read"
        />
        <MessageBubble content={bubbleOfTemplate(SALE)} />
        <MessageBubble content={bubbleOfTemplate(CAROUSEL, ['Mira', '3'])} />
        {TEXTS.map((content, index) => (
          <MessageBubble
            key={index}
            content={content}
            direction={index % 2 === 0 ? 'in' : 'out'}
            at="2026-11-23T09:42:00.000Z"
            status={index % 2 === 0 ? undefined : 'Delivered'}
          />
        ))}
      </div>
    </Panel>
  );
}
