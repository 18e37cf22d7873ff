import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { version } from '../../../package.json';

/** The versions of the service and of Node.js. */
@Injectable()
export class BuildMetrics {
  constructor(registry: Registry) {
    new Gauge<'version' | 'node'>({
      name: 'messaging_build_info',
      help: 'Always 1; the labels are the versions of the service and of Node.js.',
      labelNames: ['version', 'node'],
      registers: [registry],
    }).set({ version, node: process.version }, 1);
  }
}
