import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HealthChecks } from '../../../infra/health/health-checks';
import { LaneDriver } from '../domain/lane-driver';
import { DeliveryRole } from './delivery-lifecycle';

const SWEEP_WITHIN_MS = 10_000;

/** Readiness checks of the lanes, in processes that send. */
@Injectable()
export class DeliveryChecks implements OnModuleInit {
  constructor(
    private readonly checks: HealthChecks,
    private readonly driver: LaneDriver,
    private readonly role: DeliveryRole,
  ) {}

  onModuleInit(): void {
    if (!this.role.runsLanes) return;
    this.checks.register(
      {
        name: 'sweep',
        required: true,
        check: () => {
          const { sweptAgoMs } = this.driver.state;
          if (sweptAgoMs === null || sweptAgoMs <= SWEEP_WITHIN_MS) return { ok: true };
          return { ok: false, reason: `the last sweep for lanes was ${Math.round(sweptAgoMs / 1000)} s ago` };
        },
      },
      {
        name: 'leases',
        // Lanes without a renewed lease send nothing until another process takes them over: only the pace suffers.
        required: false,
        check: () => {
          const { lanes, withoutLease } = this.driver.state;
          if (withoutLease === 0) return { ok: true };
          return { ok: false, reason: `${withoutLease} of ${lanes} lanes cannot renew their lease and send nothing` };
        },
      },
    );
  }
}
