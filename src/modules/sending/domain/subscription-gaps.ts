import { Injectable } from '@nestjs/common';
import type { Sender } from '../../accounts/domain/sender';

/** Webhook fields, by the platform's names, that a source knows not to be reported to this service for a sender. */
type Source = (sender: Sender) => readonly string[];

/** What the platform does not report to this service, as those know it who subscribe to its reports. */
@Injectable()
export class SubscriptionGaps {
  private readonly sources: Source[] = [];

  add(source: Source): void {
    this.sources.push(source);
  }

  /** The webhook fields that are known not to be reported for this sender, each once; empty: none. */
  of(sender: Sender): string[] {
    return [...new Set(this.sources.flatMap((source) => source(sender)))];
  }
}
