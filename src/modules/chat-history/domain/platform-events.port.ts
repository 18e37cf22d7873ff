import type { PlatformEvent } from './platform-notice';

/** Where is kept what the platform said and nobody acted upon. */
export abstract class PlatformEvents {
  /** Keeps events in the surrounding unit of work; gives those that were not there yet. */
  abstract keep(events: readonly PlatformEvent[]): Promise<PlatformEvent[]>;
}
