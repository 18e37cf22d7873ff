import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { ENCODINGS, type PreparedFile, preparedFile, sendPrepared } from './prepared-file';

/** Where the console is served. */
export const CONSOLE_PATH = '/console';

/** What the pages of the console may do: only what comes from this service, no inline code, and no text that becomes code. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join(';');

const HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  // With helmet's no-referrer, some requests of pages would have no Origin.
  'Referrer-Policy': 'same-origin',
};

const YEAR_SECONDS = 31_536_000;
/** Names of files in `assets` contain a hash of the content. */
const HASHED = 'assets/';
/** Endings of the compressed files that the build makes. */
const ENDINGS = { br: '.br', gzip: '.gz' };
/** One name or `assets/<name>`: nothing that leaves the folder, and no hidden file. */
const FILE = /^(assets\/)?[\w-][\w.-]*$/;
/** The API of the sign-in. */
const SESSION = /^\/session\/?$/i;

/**
 * Serves the built console from `folder` under `/console`: its files, and `index.html` for every other path below, since the
 * console chooses its pages by itself. Browsers that open `/` are sent there. Before the routes of the application are registered.
 */
export function serveConsole(app: NestExpressApplication, folder: string): void {
  const files = new ConsoleFiles(folder);
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (request.path !== '/' || !isRead(request) || request.accepts(['json', 'html']) !== 'html') return next();
    response.setHeader('Vary', 'Accept');
    response.redirect(302, CONSOLE_PATH);
  });
  app.use(CONSOLE_PATH, (request: Request, response: Response, next: NextFunction) => {
    if (!isRead(request) || SESSION.test(request.path)) return next();
    serve(files, request, response, next).catch(next);
  });
}

async function serve(files: ConsoleFiles, request: Request, response: Response, next: NextFunction): Promise<void> {
  const wanted = request.path.slice(1);
  const found = FILE.test(wanted) ? await files.read(wanted) : null;
  // A page that asks for a file of another build must not take index.html for it.
  if (!found && wanted.startsWith(HASHED)) return next();
  const file = found ?? (await files.read('index.html'));
  if (!file) {
    response.status(404).type('text').send('The console is not built. Run "npm run build", then start again.\n');
    return;
  }
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  response.setHeader(
    'Cache-Control',
    wanted.startsWith(HASHED) ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
  );
  sendPrepared(request, response, file);
}

/** The files of the console, each read once for each state that it has on the disk. */
class ConsoleFiles {
  private readonly known = new Map<string, { changedMs: number; file: Promise<PreparedFile> }>();

  constructor(private readonly folder: string) {}

  /** Null: there is none. */
  async read(name: string): Promise<PreparedFile | null> {
    const path = join(this.folder, name);
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) return null;
    const known = this.known.get(name);
    if (known?.changedMs === found.mtimeMs) return known.file;
    const file = prepare(path);
    this.known.set(name, { changedMs: found.mtimeMs, file });
    file.catch(() => this.known.delete(name));
    return file;
  }
}

async function prepare(path: string): Promise<PreparedFile> {
  const encoded: PreparedFile['encoded'] = {};
  for (const encoding of ENCODINGS) {
    const built = await readFile(path + ENDINGS[encoding]).catch(() => undefined);
    if (built) encoded[encoding] = built;
  }
  return preparedFile(extname(path), await readFile(path), encoded);
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}
