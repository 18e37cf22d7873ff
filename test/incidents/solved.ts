import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ended } from '../support/process/bulk';
import { until } from '../support/process/service';
import type { Incident } from './incident';
import { Scene } from './scene';

const VISIBLE_MS = 45_000;
const RUNBOOK = readFileSync(join(__dirname, '../../docs/runbook.md'), 'utf8').split('\n');

/** Plants each incident in a service of its own: it is visible where docs/runbook.md says, and its remedy repairs it. */
export function describeIncidents(incidents: readonly Incident[]): void {
  describe('An incident is visible where docs/runbook.md says, and its remedy repairs it:', () => {
    it.each(incidents.map((incident) => [incident.cause, incident] as const))('%s', async (_, incident) => {
      expect(RUNBOOK.some((line) => line === incident.section || line === `## ${incident.section}`)).toBe(true);
      const scene = await Scene.open(incident);
      try {
        await incident.plant(scene);
        await until(() => incident.isVisible(scene), VISIBLE_MS, `visible: ${incident.cause}`);
        await incident.repair(scene);
        expect(await ended(scene.client, scene.job)).toMatchObject({ status: 'Completed', failed: 0, unknown: 0 });
        const accepted = await scene.platform.accepted();
        expect(new Set(accepted).size).toBe(accepted.length);
      } finally {
        await scene.close();
      }
    });
  });
}
