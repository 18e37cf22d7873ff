import type { FieldFault } from '../../../kernel/domain-error';

/** Collects faults, the first of each field. */
export class FieldFaults {
  private readonly byField = new Map<string, FieldFault>();

  /** Notes a fault unless the field has one; `rest` goes on behind the name of the field. */
  add(field: string, code: string, rest: string): void {
    if (!this.byField.has(field)) this.byField.set(field, { field, code, message: `${field} ${rest}` });
  }

  /** Whether the field has a fault. */
  has(field: string): boolean {
    return this.byField.has(field);
  }

  /** All faults, in the order in which they were found. */
  get all(): FieldFault[] {
    return [...this.byField.values()];
  }
}
