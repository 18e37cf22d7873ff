/** The query of a request that takes none: any field in it is an unknown one. */
export class NoQueryDto {}
