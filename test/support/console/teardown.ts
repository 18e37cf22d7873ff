import clearService from '../process/teardown';

/** Closes the browser of the run. */
export default async function clearAway(): Promise<void> {
  await globalThis.consoleBrowser?.close();
  await clearService();
}
