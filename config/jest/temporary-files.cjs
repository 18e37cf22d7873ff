/**
 * The temporary files of a test run stand in memory where the system has room for them there: a suite's database is a
 * thousand small files, and making and removing them on a disk takes longer than most tests.
 */
const { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } = require('node:fs');

const IN_MEMORY = '/dev/shm';
const PREFIX = 'mta-tests-';
const ENOUGH_BYTES = 4 * 1024 ** 3;

function freeBytes(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** Removes what runs left behind that were killed; the name of a folder holds the number of its process. */
function removeLeftovers() {
  for (const name of readdirSync(IN_MEMORY).filter((found) => found.startsWith(PREFIX))) {
    const pid = name.slice(PREFIX.length).split('-')[0];
    if (/^\d+$/.test(pid) && !existsSync(`/proc/${pid}`))
      rmSync(`${IN_MEMORY}/${name}`, { recursive: true, force: true });
  }
}

/** Sets TMPDIR for this process and those that it starts; the folder is removed when this process ends. */
function keepTemporaryFilesInMemory() {
  if (process.env.TMPDIR?.startsWith(IN_MEMORY) || freeBytes(IN_MEMORY) < ENOUGH_BYTES) return;
  removeLeftovers();
  const folder = mkdtempSync(`${IN_MEMORY}/${PREFIX}${process.pid}-`);
  // As /tmp: the servers that the kill tests start run as another user.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

keepTemporaryFilesInMemory();
