import { UnitOfWork } from '../../src/kernel/unit-of-work';

/** No transaction at all: for rules that do not depend on one being undone. */
export class ImmediateUnitOfWork extends UnitOfWork {
  run<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  afterCommit(action: () => void): void {
    action();
  }
}
