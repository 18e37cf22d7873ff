import { createInterface } from 'node:readline';
import { SANDBOX_CREDENTIALS } from '../../libs/platform-sandbox/credentials';
import { KEY } from '../support/process/service';
import { Scene } from './scene';
import { SENDING_INCIDENTS } from './sending-incidents';
import { SERVICE_INCIDENTS } from './service-incidents';

const INCIDENTS = [...SENDING_INCIDENTS, ...SERVICE_INCIDENTS];

/** `npm run incident -- 3`: starts a service with an incident, to be found and repaired with docs/runbook.md alone. Ends with Ctrl-C. */
async function practise(number: number): Promise<void> {
  const incident = INCIDENTS[number - 1];
  if (!incident) throw new Error(`Which one? npm run incident -- <1 to ${INCIDENTS.length}>`);
  // The commands of the runbook need them: a practice must not use the servers of an operator.
  delete process.env.DATABASE_URL;
  delete process.env.REDIS_URL;
  const scene = await Scene.open(incident);
  await incident.plant(scene).catch(async (error: unknown) => {
    await scene.close();
    throw error;
  });
  const { ACCOUNT, SENDER, ENDPOINT } = scene.ids;
  const { accessToken, appSecret } = SANDBOX_CREDENTIALS;
  const metrics = `${scene.service.url}/metrics`;
  const variables = {
    ...{ URL: scene.service.url, API: scene.service.api, METRICS: metrics, EVERY: metrics, KEY, JOB: scene.job },
    ...{ ACCOUNT, SENDER, ...(ENDPOINT && { ENDPOINT }), ...scene.addresses },
  };
  const commands: Record<string, (settings: Record<string, string>) => Promise<void>> = {
    service: (settings) => scene.restart(settings),
    ...(incident.onServers && { redis: () => restartRedis(scene) }),
  };
  const lines = [
    incident.complaint,
    'Find the cause and the remedy with docs/runbook.md.',
    '',
    ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    '',
    `The platform is the sandbox at ${scene.platform.url}, controlled as in libs/platform-sandbox/README.md.`,
    `Its business settings show the access token ${accessToken} and the app secret ${appSecret}.`,
    ...(scene.lastOutput ? [`The service has exited. Its log:\n${scene.lastOutput}`] : []),
    `Enter ${Object.keys(commands).join(' or ')} to restart that, with its first settings, or \`service NAME=value\` with others. Ctrl-C prints the cause and stops everything.`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  const input = createInterface({ input: process.stdin }).on('line', (line) => {
    const [name = '', ...settings] = line.trim().split(' ');
    const changed = Object.fromEntries(
      settings.map((setting) => /^([^=]*)=?(.*)$/s.exec(setting)!.slice(1)) as [string, string][],
    );
    const restarted = commands[name]?.(changed) ?? Promise.reject(new Error('There is no such command'));
    restarted.then(
      () => process.stdout.write(`Restarted: ${line.trim()}\n`),
      (error: Error) => process.stderr.write(`${error.message}\n`),
    );
  });
  process.once('SIGINT', () => {
    process.stdout.write(
      `\nThe cause: ${incident.cause}. Section of the runbook: ${incident.section.replace('# ', '')}.\n`,
    );
    input.close();
    // A terminal sends Ctrl-C to the servers, too.
    scene.close().catch(() => undefined);
  });
}

async function restartRedis({ redis }: Scene): Promise<void> {
  await redis.kill();
  await redis.start();
}

practise(Number(process.argv[2])).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
});
