import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';

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
/** Encodings that the build makes, the smallest first. */
const ENCODINGS = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
] as const;
/** One name or `assets/<name>`: nothing that leaves the folder, and no hidden file. */
const FILE = /^(assets\/)?[\w-][\w.-]*$/;
/** The API of the sign-in. */
const SESSION = /^\/session\/?$/i;

/**
 * Serves the built console from `folder` under `/console`: its files, and `index.html` for every other path below, since the
 * console chooses its pages by itself. Browsers that open `/` are sent there. Before the routes of the application are registered.
 */
export function serveConsole(app: NestExpressApplication, folder: string): void {
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (request.path !== '/' || !isRead(request) || request.accepts(['json', 'html']) !== 'html') return next();
    response.setHeader('Vary', 'Accept');
    response.redirect(302, CONSOLE_PATH);
  });
  app.use(CONSOLE_PATH, (request: Request, response: Response, next: NextFunction) => {
    if (!isRead(request) || SESSION.test(request.path)) return next();
    serve(folder, request, response, next).catch(next);
  });
}

async function serve(folder: string, request: Request, response: Response, next: NextFunction): Promise<void> {
  const wanted = request.path.slice(1);
  const isFile = FILE.test(wanted) && (await exists(join(folder, wanted)));
  // A page that asks for a file of another build must not take index.html for it.
  if (!isFile && wanted.startsWith(HASHED)) return next();
  const file = isFile ? wanted : 'index.html';
  if (!isFile && !(await exists(join(folder, file)))) {
    response.status(404).type('text').send('The console is not built here. Run "npm run build", then start again.\n');
    return;
  }
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  response.setHeader(
    'Cache-Control',
    file.startsWith(HASHED) ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
  );
  response.type(extname(file));
  const { encoding, ending } = await encodingOf(folder, file, request, response);
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
  const options = { root: folder, cacheControl: false };
  response.sendFile(file + ending, options, (error?: Error) => {
    if (error && !response.headersSent) next(error);
  });
}

/** The smallest form of a file that the build made and the client takes. */
async function encodingOf(folder: string, file: string, request: Request, response: Response) {
  for (const one of ENCODINGS) {
    if (!(await exists(join(folder, file + one.ending)))) continue;
    response.vary('Accept-Encoding');
    if (request.acceptsEncodings(one.encoding) === one.encoding) return one;
  }
  return { encoding: undefined, ending: '' };
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
