import { dropTemplate } from './template-database';

/** After all tests. */
export default function teardown(): Promise<void> {
  return dropTemplate();
}
