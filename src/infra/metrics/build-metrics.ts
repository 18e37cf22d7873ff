import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { version } from '../../../package.json';

/** `api`, `worker` or `all`. */
export class ProcessRole {
  constructor(readonly name: string) {}
}

/** The versions of the service and of Node.js, and the role of the process. */
@Injectable()
export class BuildMetrics {
  constructor(registry: Registry, role: ProcessRole) {
    new Gauge<'version' | 'node' | 'role'>({
      name: 'messaging_build_info',
      help: 'Always 1; the labels are the versions of the service and of Node.js, and the role of the process.',
      labelNames: ['version', 'node', 'role'],
      registers: [registry],
    }).set({ version, node: process.version, role: role.name }, 1);
  }
}
