import type { SendWindow } from '../../bulk-jobs/domain/send-window';

/** A running job that is outside its send window at a moment of the database's clock. */
export interface ClosedJob {
  id: string;
  sendWindow: SendWindow;
  at: Date;
}

/** Which running jobs wait for their send window. */
export abstract class JobWindowStore {
  /** At most `limit` running jobs outside their window that have something to send and are not marked. */
  abstract closed(limit: number): Promise<ClosedJob[]>;
  /** Marks a job until its window opens, in whichever process is first; nothing where it has changed meanwhile. */
  abstract markClosed(jobId: string, opensAt: Date): Promise<void>;
}
