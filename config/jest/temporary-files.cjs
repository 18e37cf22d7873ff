/**
 * Keeps the temporary files of a test run in memory if there is enough: a suite's database is a thousand small files, and creating and
 * removing them on disk takes longer than most tests.
 */
const { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } = require('node:fs');

const IN_MEMORY = '/dev/shm';
const PREFIX = 'mta-tests-';
const MIN_FREE_BYTES = 4 * 1024 ** 3;

function freeBytes(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** Removes the folders of killed runs; a folder's name contains the pid of its process. */
function removeLeftovers() {
  for (const name of readdirSync(IN_MEMORY).filter((found) => found.startsWith(PREFIX))) {
    const pid = name.slice(PREFIX.length).split('-')[0];
    if (/^\d+$/.test(pid) && !existsSync(`/proc/${pid}`))
      rmSync(`${IN_MEMORY}/${name}`, { recursive: true, force: true });
  }
}

/** Sets TMPDIR for this process and its children; removes the folder when this process exits. */
function keepTemporaryFilesInMemory() {
  if (process.env.TMPDIR?.startsWith(IN_MEMORY) || freeBytes(IN_MEMORY) < MIN_FREE_BYTES) return;
  removeLeftovers();
  const folder = mkdtempSync(`${IN_MEMORY}/${PREFIX}${process.pid}-`);
  // Like /tmp: the servers of the kill tests run as another user.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

keepTemporaryFilesInMemory();
