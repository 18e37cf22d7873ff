import { UnitOfWork } from '../../src/kernel/unit-of-work';

/** No transaction: for tests without rollbacks. */
export class ImmediateUnitOfWork extends UnitOfWork {
  run<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  afterCommit(action: () => void): void {
    action();
  }
}
