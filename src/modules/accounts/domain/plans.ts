/** Limits of a plan. */
export interface Plan {
  requestsPerSecond: number;
  burst: number;
  maxRowsPerFile: number;
  /** Active API keys. */
  maxApiKeys: number;
  /** Contact groups. */
  maxGroups: number;
  /** Contacts; people who write to the account become contacts beyond it, too. */
  maxContacts: number;
  /** Webhook endpoints. */
  maxWebhookEndpoints: number;
  /** Unfinished bulk jobs. */
  maxOpenJobs: number;
  /** Bodies of events that wait for one webhook endpoint. */
  maxWaitingEvents: number;
  /** Bodies per second that a replay of a webhook endpoint redelivers. */
  replayedPerSecond: number;
}

/** A plan in a plans file; quotas are optional. */
export type PlanFields = Omit<Plan, keyof typeof DEFAULT_QUOTAS> & {
  [Quota in keyof typeof DEFAULT_QUOTAS]?: number | undefined;
};

const DEFAULT_QUOTAS = {
  ...{ maxApiKeys: 100, maxGroups: 1_000, maxContacts: 1_000_000, maxWebhookEndpoints: 20 },
  ...{ maxOpenJobs: 1_000, maxWaitingEvents: 1_000_000, replayedPerSecond: 100 },
};

/** All plans, by name. */
export class Plans {
  private readonly plans: ReadonlyMap<string, Plan>;

  constructor(plans: Readonly<Record<string, PlanFields>>) {
    this.plans = new Map(Object.entries(plans).map(([name, fields]) => [name, withQuotas(fields)]));
  }

  /** The names in the order of the plans file. */
  names(): string[] {
    return [...this.plans.keys()];
  }

  /** Whether there is a plan of this name; case matters. */
  has(name: string): boolean {
    return this.plans.has(name);
  }

  /** The plan of this name. The service does not start while an account has an unknown plan. */
  of(name: string): Plan {
    const plan = this.plans.get(name);
    if (!plan) throw new Error(`There is no plan "${name}" in the plans file`);
    return plan;
  }
}

function withQuotas(fields: PlanFields): Plan {
  const quotas = Object.entries(DEFAULT_QUOTAS).map(([name, value]) => [
    name,
    fields[name as keyof typeof DEFAULT_QUOTAS] ?? value,
  ]);
  return { ...fields, ...(Object.fromEntries(quotas) as typeof DEFAULT_QUOTAS) };
}
