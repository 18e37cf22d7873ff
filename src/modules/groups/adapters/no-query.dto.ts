/** The query of a request without parameters: every parameter is rejected as unknown. */
export class NoQueryDto {}
