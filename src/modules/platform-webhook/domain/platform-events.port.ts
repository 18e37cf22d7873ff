import type { PlatformEvent } from './platform-notice';

/** Stores what the platform reported and this service does not act upon. */
export abstract class PlatformEvents {
  /** Stores events in the surrounding unit of work; returns those that were not stored before. */
  abstract store(events: readonly PlatformEvent[]): Promise<PlatformEvent[]>;
}
