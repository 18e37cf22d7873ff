import type { Scene } from './scene';

/** Trouble of a running service, and how an engineer sees it and repairs it with docs/runbook.md. */
export interface Incident {
  cause: string;
  /** What clients or an alert report; does not name the cause. */
  complaint: string;
  /** The section of docs/runbook.md. */
  section: string;
  /** Whether it needs a PostgreSQL and a Redis server of its own. */
  onServers?: boolean;
  /** Whether its database is on a small disk of its own, which needs root. */
  onSmallDisk?: boolean;
  plant(scene: Scene): Promise<void>;
  /** Whether the cause is visible where the runbook says. */
  isVisible(scene: Scene): Promise<boolean>;
  /** The remedy of the runbook; what only the platform, or the client, can do is done there. */
  repair(scene: Scene): Promise<unknown>;
}
