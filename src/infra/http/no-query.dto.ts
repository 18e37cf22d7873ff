/** The route has no query: whoever writes a field of the body there, such as `dryRun`, is told so before anything is done. */
export class NoQueryDto {}
