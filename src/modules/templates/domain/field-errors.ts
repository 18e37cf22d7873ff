import type { FieldError } from '../../../kernel/domain-error';
import type { FieldCode } from '../../../kernel/field-problems';

/** Collects errors: the first one of each field. */
export class FieldErrors {
  private readonly byField = new Map<string, FieldError>();

  /** Adds an error unless the field has one; the message is the field name followed by `rest`. */
  add(field: string, code: FieldCode, rest: string): void {
    if (!this.byField.has(field)) this.byField.set(field, { field, code, message: `${field} ${rest}` });
  }

  /** Whether the field has an error. */
  has(field: string): boolean {
    return this.byField.has(field);
  }

  /** All errors, in the order in which they were added. */
  get all(): FieldError[] {
    return [...this.byField.values()];
  }
}
