import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../http/access.decorators';
import { HealthChecks, type Readiness } from './health-checks';

/** That the process answers. */
export class LivenessDto {
  @ApiProperty({ description: 'Always `ok`.', example: 'ok', enum: ['ok'] })
  status: 'ok';
}

/** Whether one thing that the process needs is there. */
export class HealthCheckDto {
  @ApiProperty({ description: 'What is looked at.', example: 'database' })
  name: string;

  @ApiProperty({ description: 'Whether it is there.', example: true })
  ok: boolean;

  @ApiProperty({ description: 'Whether the process is of no use without it.', example: true })
  required: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Why not; null when it is there.', example: null })
  reason: string | null;
}

/** Whether the process can work, and what is missing. */
export class ReadinessDto {
  @ApiProperty({
    description: '`ready` when all checks that are required are ok.',
    example: 'ready',
    enum: ['ready', 'not_ready'],
  })
  status: 'ready' | 'not_ready';

  @ApiProperty({ description: 'It is ready, but works worse: a check that is not required failed.', example: false })
  degraded: boolean;

  @ApiProperty({ description: 'Everything that was looked at.', type: [HealthCheckDto] })
  checks: HealthCheckDto[];

  /** What a look showed, as it is answered. */
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

/** Health for those who run the service; needs no key. */
@ApiTags('Operations')
@Controller('health')
export class HealthController {
  constructor(private readonly checks: HealthChecks) {}

  /** Answers as long as the process lives. */
  @Get('live')
  @Public()
  @ApiOperation({ summary: 'Whether the process lives', description: 'Answers 200 as long as the process runs.' })
  @ApiOkResponse({ description: 'The process runs.', type: LivenessDto })
  live(): LivenessDto {
    return { status: 'ok' };
  }

  /** 200 when the process can work, 503 with the reason when not. */
  @Get('ready')
  @Public()
  @ApiOperation({
    summary: 'Whether the process can work',
    description: `Answers 503 with the reason while something that is required is away, and from the moment when the process
is told to stop. Without Redis and while the platform is away the service works on, so it stays ready and is \`degraded\`.
Answers within 2 s; the platform is not called for it.`,
  })
  @ApiOkResponse({ description: 'The process can work.', type: ReadinessDto })
  @ApiServiceUnavailableResponse({ type: ReadinessDto, description: 'Something that is required is away.' })
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadinessDto> {
    const readiness = await this.checks.look();
    if (!readiness.ready) response.status(HttpStatus.SERVICE_UNAVAILABLE);
    return ReadinessDto.from(readiness);
  }
}
