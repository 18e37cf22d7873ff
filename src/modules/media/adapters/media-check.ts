import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HealthChecks } from '../../../infra/health/health-checks';
import { MediaStore } from '../domain/media-store.port';

/** Whether files of people can be kept, as this process says when it is asked how it does. */
@Injectable()
export class MediaCheck implements OnModuleInit {
  constructor(
    private readonly checks: HealthChecks,
    private readonly files: MediaStore,
  ) {}

  onModuleInit(): void {
    // What cannot be kept now is fetched again for days: nothing else suffers.
    const check = async () => {
      const reason = await this.files.fault();
      return reason === null ? ({ ok: true } as const) : ({ ok: false, reason } as const);
    };
    this.checks.register({ name: 'media', required: false, check });
  }
}
