/** A response whose status or headers depend on the outcome. */
export interface Answer {
  statusCode: number;
  body: object;
  headers?: Record<string, string>;
}
