import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Registry } from 'prom-client';
import { Public } from '../http/access/access.decorators';
import { sendMetrics } from './metrics-server';

const EXAMPLE = `# HELP messaging_messages_accepted_total Messages that the platform accepted.
# TYPE messaging_messages_accepted_total counter
messaging_messages_accepted_total 1204
`;

/** Metrics of this process for Prometheus; needs no key and contains no data of accounts or people. */
@ApiTags('Operations')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly registry: Registry) {}

  /** All metrics in the Prometheus text format. */
  @Get()
  @Public()
  @ApiOperation({
    summary: 'Read metrics',
    description:
      'Metrics of this process in the Prometheus text format, explained in docs/operations.md. If METRICS_PORT is ' +
      'set, they are served on that port only and this path returns 404.',
  })
  @ApiProduces('text/plain')
  @ApiOkResponse({
    description: 'The metrics.',
    content: { 'text/plain': { schema: { type: 'string', example: EXAMPLE }, example: EXAMPLE } },
  })
  async getMetrics(@Res() response: Response): Promise<void> {
    await sendMetrics(this.registry, response);
  }
}
