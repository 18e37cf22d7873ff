import { createRequire } from 'node:module';
import { prepareTemplate } from './template-database';

/** Lets tests open the embedded database, whose worker thread is TypeScript. */
export const setUp = createRequire(__filename)('../../config/jest/setup.cjs') as () => Promise<void>;

/** Before the suites that start no service. */
export default async function prepare(): Promise<void> {
  await setUp();
  await prepareTemplate();
}
