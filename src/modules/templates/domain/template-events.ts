import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { EventOutbox } from '../../events/domain/event-outbox';
import { TemplateChanges } from './template-changes';

/** Writes an event for each change of a template's status, in the unit of work of the change. */
@Injectable()
export class TemplateEvents {
  constructor(changes: TemplateChanges, outbox: EventOutbox, clock: Clock) {
    changes.onStatusChanged((statusChanges) => {
      const at = clock.now();
      return outbox.write(
        statusChanges.map(({ accountId, templateId, name, languageCode, before, after }) => ({
          ...{ accountId, type: 'template.status_changed', at },
          data: { templateId, templateName: name, languageCode, status: after, previousStatus: before },
        })),
      );
    });
  }
}
