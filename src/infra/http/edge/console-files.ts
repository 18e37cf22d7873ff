import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { compressedFile, ENCODINGS, type PreparedFile, preparedFile, sendPrepared } from './prepared-file';

/** Path of the console. */
export const CONSOLE_PATH = '/console';

/** Pages of the console load only from this service, run no inline code and turn no text into code. */
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
/** Folder of files with a content hash in their names. */
const HASHED = 'assets/';
/** Suffixes of the compressed files of the build. */
const SUFFIXES = { br: '.br', gzip: '.gz' };
/** A name or `assets/<name>`: nothing outside the folder, and no hidden file. */
const FILE = /^(assets\/)?[\w-][\w.-]*$/;
/** Served for every path that is no file. */
const PAGE = 'index.html';
/** The sign-in API. */
const SESSION = /^\/session\/?$/i;

/**
 * Serves the built console from `folder` under `/console`: its files, and `index.html` for every other path below, since the console
 * routes in the browser. With `isSandbox` the page says so, by the attribute `data-sandbox`. Redirects browsers from `/`. Call it before the
 * application's routes are registered.
 */
export function serveConsole(app: NestExpressApplication, folder: string, isSandbox: boolean): void {
  const files = new ConsoleFiles(folder, isSandbox);
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
  // A page that requests a file of another build must not get index.html.
  if (!found && wanted.startsWith(HASHED)) return next();
  const file = found ?? (await files.read(PAGE));
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

/** Caches the files of the console until they change on disk. */
class ConsoleFiles {
  private readonly known = new Map<string, { changedMs: number; file: Promise<PreparedFile> }>();

  constructor(
    private readonly folder: string,
    private readonly isSandbox: boolean,
  ) {}

  /** The file; null if it does not exist. */
  async read(name: string): Promise<PreparedFile | null> {
    const path = join(this.folder, name);
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) return null;
    const known = this.known.get(name);
    if (known?.changedMs === found.mtimeMs) return known.file;
    const file = this.isSandbox && name === PAGE ? prepareSandboxPage(path) : prepare(path);
    this.known.set(name, { changedMs: found.mtimeMs, file });
    file.catch(() => this.known.delete(name));
    return file;
  }
}

async function prepare(path: string): Promise<PreparedFile> {
  const encoded: PreparedFile['encoded'] = {};
  for (const encoding of ENCODINGS) {
    const built = await readFile(path + SUFFIXES[encoding]).catch(() => undefined);
    if (built) encoded[encoding] = built;
  }
  return preparedFile(extname(path), await readFile(path), encoded);
}

async function prepareSandboxPage(path: string): Promise<PreparedFile> {
  const page = await readFile(path, 'utf8');
  return compressedFile(extname(path), Buffer.from(page.replace('<html', '<html data-sandbox')));
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}
