/** Limits of a plan: the token bucket of requests, and the rows of one file. */
export interface Plan {
  requestsPerSecond: number;
  burst: number;
  maxRowsPerFile: number;
}

/** All plans, by name. */
export class Plans {
  constructor(private readonly plans: Readonly<Record<string, Plan>>) {}

  /** The names in the order of the plans file. */
  names(): string[] {
    return Object.keys(this.plans);
  }

  /** Whether there is a plan of this name; case matters. */
  has(name: string): boolean {
    return Object.hasOwn(this.plans, name);
  }

  /** The plan of this name. The service does not start while an account has an unknown plan. */
  of(name: string): Plan {
    const plan = this.has(name) ? this.plans[name] : undefined;
    if (!plan) throw new Error(`There is no plan "${name}" in the plans file`);
    return plan;
  }
}
