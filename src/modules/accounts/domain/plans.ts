/** What a plan allows: the token bucket of requests, and rows in one file. */
export interface Plan {
  requestsPerSecond: number;
  burst: number;
  maxRowsPerFile: number;
}

/** The plans that accounts can have, by name. */
export class Plans {
  constructor(private readonly plans: Readonly<Record<string, Plan>>) {}

  /** Names in the order in which the plans file lists them. */
  names(): string[] {
    return Object.keys(this.plans);
  }

  /** Whether there is a plan of that name, exactly so written. */
  has(name: string): boolean {
    return Object.hasOwn(this.plans, name);
  }

  /** The plan of that name; accounts have no others, which the start of the service makes sure of. */
  of(name: string): Plan {
    const plan = this.has(name) ? this.plans[name] : undefined;
    if (!plan) throw new Error(`There is no plan "${name}" in the plans file`);
    return plan;
  }
}
