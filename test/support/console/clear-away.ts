import clearService from '../process/clear-away';

/** Closes the browser of the run. */
export default async function clearAway(): Promise<void> {
  await globalThis.consoleBrowser?.close();
  await clearService();
}
