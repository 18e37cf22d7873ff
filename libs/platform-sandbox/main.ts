import { join } from 'node:path';
import { Command } from 'commander';
import { SANDBOX_CREDENTIALS } from './credentials';
import { startSandbox } from './sandbox';

const DEFAULT_PORT = 4010;

async function main(): Promise<void> {
  new Command('npm run sandbox --')
    .description('Runs the platform sandbox at SANDBOX_HOST and SANDBOX_PORT until it is stopped.')
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse();
  const text = process.env.SANDBOX_PORT ?? '';
  const port = text === '' ? DEFAULT_PORT : Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`SANDBOX_PORT must be a port from 0 to 65535, not "${text}".`);
  }
  const { SANDBOX_HOST: host, SANDBOX_DATA_DIR: dataDir, SANDBOX_STRICT: strict = 'false' } = process.env;
  if (strict !== 'true' && strict !== 'false')
    throw new Error(`SANDBOX_STRICT must be true or false, not "${strict}".`);
  const sandbox = await startSandbox({
    ...{ port, host, config: { strict: strict === 'true' } },
    templateFile: dataDir ? join(dataDir, 'sandbox-templates.json') : undefined,
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
  process.stdout.write(`Platform sandbox listens on ${sandbox.url} (token ${SANDBOX_CREDENTIALS.accessToken})\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`Platform sandbox could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
