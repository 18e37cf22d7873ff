import { KEY } from '../support/process/service';
import { Scene } from './scene';
import { SENDING_INCIDENTS } from './sending-incidents';
import { SERVICE_INCIDENTS } from './service-incidents';

const INCIDENTS = [...SENDING_INCIDENTS, ...SERVICE_INCIDENTS];

/** `npm run incident -- 3`: starts a service with an incident, to be found and repaired with docs/runbook.md alone. Ends with Ctrl-C. */
async function practise(number: number): Promise<void> {
  const incident = INCIDENTS[number - 1];
  if (!incident) throw new Error(`Which one? npm run incident -- <1 to ${INCIDENTS.length}>`);
  const scene = await Scene.open(incident);
  await incident.plant(scene).catch(async (error: unknown) => {
    await scene.close();
    throw error;
  });
  const lines = [
    'A client reports that this job does not progress. Find out why with docs/runbook.md.',
    `URL=${scene.service.url}`,
    `KEY=${KEY}`,
    `JOB=${scene.job}`,
    ...(scene.lastOutput ? [`The service has exited. Its log:\n${scene.lastOutput}`] : []),
    'Ctrl-C prints the cause and stops the service.',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  process.once('SIGINT', () => {
    process.stdout.write(`\nThe cause: ${incident.cause}. Section of the runbook: ${incident.section}.\n`);
    void scene.close();
  });
}

practise(Number(process.argv[2])).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
});
