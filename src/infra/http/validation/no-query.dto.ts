/** Rejects all query parameters, such as a body field (`dryRun`) sent in the query by mistake. */
export class NoQueryDto {}
