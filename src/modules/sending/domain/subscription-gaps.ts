import { Injectable } from '@nestjs/common';
import type { Sender } from '../../accounts/domain/sender';

/** Returns the platform's names of webhook fields known not to reach this service for a sender. */
type Source = (sender: Sender) => readonly string[];

/** Collects missing webhook subscriptions. */
@Injectable()
export class SubscriptionGaps {
  private readonly sources: Source[] = [];

  add(source: Source): void {
    this.sources.push(source);
  }

  /** The distinct webhook fields known to be missing for this sender. */
  of(sender: Sender): string[] {
    return [...new Set(this.sources.flatMap((source) => source(sender)))];
  }
}
