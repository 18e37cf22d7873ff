import type { PlatformEvent } from './platform-notice';

/** Stores platform reports that this service does not use. */
export abstract class PlatformEvents {
  /** Stores events in the surrounding unit of work; returns the new ones. */
  abstract store(events: readonly PlatformEvent[]): Promise<PlatformEvent[]>;
}
