/** An answer whose status or headers depend on what was done. */
export interface Answer {
  statusCode: number;
  body: object;
  headers?: Record<string, string>;
}
