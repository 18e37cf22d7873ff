import { EventsInMemory } from '../../../../test/fakes/events-in-memory';
import { ManualClock } from '../../../../test/fakes/manual-clock';
import { EventOutbox } from '../../events/domain/event-outbox';
import { TemplateChanges } from './template-changes';
import { TemplateEvents } from './template-events';

describe('TemplateEvents', () => {
  it('writes an event for each status change, to its own account', async () => {
    const changes = new TemplateChanges();
    const outbox = new EventsInMemory();
    const clock = new ManualClock();
    new TemplateEvents(changes, new EventOutbox(outbox), clock);
    const change = { templateId: 'one', name: 'promo', languageCode: 'en_US', before: 'Approved' } as const;
    await changes.announce([
      { ...change, accountId: 'a', after: 'Paused' },
      { ...change, accountId: 'b', after: 'Disabled' },
    ]);
    const data = { templateId: 'one', templateName: 'promo', languageCode: 'en_US', previousStatus: 'Approved' };
    const event = { type: 'template.status_changed', timestamp: clock.now().toISOString() };
    expect(outbox.events).toEqual([
      { ...event, accountId: 'a', data: { ...data, status: 'Paused' } },
      { ...event, accountId: 'b', data: { ...data, status: 'Disabled' } },
    ]);
  });
});
