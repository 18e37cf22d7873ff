import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { version } from '../../../package.json';
import { Public } from '../http/access/access.decorators';
import { HealthChecks, type Readiness } from './health-checks';

/** Response of a running process. */
export class LivenessDto {
  @ApiProperty({ description: 'Always `ok`.', example: 'ok', enum: ['ok'] })
  status: 'ok';

  @ApiProperty({ description: 'Version of the service.', example: '0.1.0' })
  version: string;
}

/** The result of one check. */
export class HealthCheckDto {
  @ApiProperty({ description: 'Name of the check.', example: 'database' })
  name: string;

  @ApiProperty({ description: 'Whether the check succeeded.', example: true })
  ok: boolean;

  @ApiProperty({ description: 'Whether the process requires it.', example: true })
  required: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the check failed; null if it succeeded.',
    example: null,
  })
  reason: string | null;
}

/** Whether the process is ready, with all checks. */
export class ReadinessDto {
  @ApiProperty({
    description: '`ready` if all required checks succeeded.',
    example: 'ready',
    enum: ['ready', 'not_ready'],
  })
  status: 'ready' | 'not_ready';

  @ApiProperty({
    description: 'Whether the process is ready although an optional check failed.',
    example: false,
  })
  degraded: boolean;

  @ApiProperty({ description: 'The results of all checks.', type: [HealthCheckDto] })
  checks: HealthCheckDto[];

  /** Converts the results. */
  static from({ ready, degraded, checks }: Readiness): ReadinessDto {
    return {
      status: ready ? 'ready' : 'not_ready',
      degraded,
      checks: checks.map(({ name, required, health }) => ({
        name,
        ok: health.ok,
        required,
        reason: health.ok ? null : health.reason,
      })),
    };
  }
}

/** Health of the process; needs no key. */
@ApiTags('Operations')
@Controller('health')
export class HealthController {
  constructor(private readonly checks: HealthChecks) {}

  @Get('live')
  @Public()
  @ApiOperation({ summary: 'Check liveness', description: 'Returns 200 while the process runs.' })
  @ApiOkResponse({ description: 'The process runs.', type: LivenessDto })
  getLiveness(): LivenessDto {
    return { status: 'ok', version };
  }

  @Get('ready')
  @Public()
  @ApiOperation({
    summary: 'Check readiness',
    description:
      `Returns 503 with the reason while a required check fails and once the process is shutting down. The ` +
      `service keeps working, and reports \`degraded\`, without Redis, while the platform is unavailable or refuses an access token, while sent messages get no status webhook, and while background work keeps failing.
Answers within 2 s and does not call the platform.`,
  })
  @ApiOkResponse({ description: 'The process is ready.', type: ReadinessDto })
  @ApiServiceUnavailableResponse({ type: ReadinessDto, description: 'A required check failed.' })
  async getReadiness(@Res({ passthrough: true }) response: Response): Promise<ReadinessDto> {
    const readiness = await this.checks.run();
    if (!readiness.ready) response.status(HttpStatus.SERVICE_UNAVAILABLE);
    return ReadinessDto.from(readiness);
  }
}
