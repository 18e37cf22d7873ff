/** The recipients of a job or a check that can be sent to: all but the invalid rows, which lists leave out if there are none. */
export function validRecipients({
  totalRecipients,
  invalidRows = 0,
}: {
  totalRecipients: number;
  invalidRows?: number;
}): number {
  return totalRecipients - invalidRows;
}
