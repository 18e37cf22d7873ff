const MAX_SECONDS = 3600;

/** The maximum number of events within any 1,000 ms, counted exactly. */
class BusiestSecond {
  private times: number[] = [];
  private head = 0;
  private most = 0;

  record(now: number): void {
    this.times.push(now);
    while ((this.times[this.head] ?? now) <= now - 1000) this.head += 1;
    this.most = Math.max(this.most, this.times.length - this.head);
    if (this.head > 4096 && this.head * 2 > this.times.length) {
      this.times = this.times.slice(this.head);
      this.head = 0;
    }
  }

  get count(): number {
    return this.most;
  }
}

interface NumberTraffic {
  arrivals: number;
  accepted: number;
  busiest: BusiestSecond;
}

/** Counts message requests, their results and their peak rate. */
export class Arrivals {
  private total = 0;
  private acceptedTotal = 0;
  private refused = new Map<number, number>();
  private byFault = new Map<string, number>();
  private busiest = new BusiestSecond();
  private perSecond = new Map<number, number>();
  private numbers = new Map<string, NumberTraffic>();

  /** Records a message request to this phone number. */
  arrived(phoneNumberId: string): void {
    const now = performance.now();
    this.total += 1;
    this.busiest.record(now);
    const second = Math.floor(Date.now() / 1000);
    this.perSecond.set(second, (this.perSecond.get(second) ?? 0) + 1);
    if (this.perSecond.size > MAX_SECONDS) this.perSecond.delete(this.perSecond.keys().next().value ?? 0);
    const traffic = this.trafficOf(phoneNumberId);
    traffic.arrivals += 1;
    traffic.busiest.record(now);
  }

  /** Records an accepted message of this phone number. */
  accepted(phoneNumberId: string): void {
    this.acceptedTotal += 1;
    this.trafficOf(phoneNumberId).accepted += 1;
  }

  /** Records a message request that was rejected with this platform code. */
  refusedWith(code: number): void {
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
  }

  /** Records a message request that triggered the named fault. */
  faulted(name: string): void {
    this.byFault.set(name, (this.byFault.get(name) ?? 0) + 1);
  }

  /** The counts for `GET /sandbox/stats`. */
  snapshot(): object {
    return {
      arrivals: this.total,
      accepted: this.acceptedTotal,
      refused: Object.fromEntries(this.refused),
      faults: Object.fromEntries(this.byFault),
      maxArrivalsPerSecond: this.busiest.count,
      perSecond: [...this.perSecond].map(([second, count]) => ({
        second: new Date(second * 1000).toISOString(),
        arrivals: count,
      })),
      phoneNumbers: Object.fromEntries(
        [...this.numbers].map(([id, { arrivals, accepted, busiest }]) => [
          id,
          { arrivals, accepted, maxArrivalsPerSecond: busiest.count },
        ]),
      ),
    };
  }

  /** Resets the counts. */
  clear(): void {
    this.total = 0;
    this.acceptedTotal = 0;
    this.refused.clear();
    this.byFault.clear();
    this.busiest = new BusiestSecond();
    this.perSecond.clear();
    this.numbers.clear();
  }

  private trafficOf(phoneNumberId: string): NumberTraffic {
    let traffic = this.numbers.get(phoneNumberId);
    if (traffic === undefined) {
      traffic = { arrivals: 0, accepted: 0, busiest: new BusiestSecond() };
      this.numbers.set(phoneNumberId, traffic);
    }
    return traffic;
  }
}
