import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

const SECURITY = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    // For Swagger UI; the API itself serves no HTML.
    directives: {
      defaultSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
});

/** The headers of every response; computed once, since they are always the same. */
export function defaultHeaders(): [name: string, value: string][] {
  // Responses contain personal data: only the client may cache them, and must revalidate.
  const headers: [string, string][] = [['Cache-Control', 'private, no-cache']];
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  SECURITY({} as IncomingMessage, recorder as unknown as ServerResponse, () => undefined);
  return headers;
}
