import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

const SECURITY = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    // Needed by Swagger UI; the API itself serves no HTML.
    directives: {
      defaultSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
});

/** The headers of every answer. They are the same for all, so helmet is asked once. */
export function answerHeaders(): [name: string, value: string][] {
  // Answers hold data of people: no shared cache keeps them, and the client's own asks before it uses one again.
  const headers: [string, string][] = [['Cache-Control', 'private, no-cache']];
  const answer = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  SECURITY({} as IncomingMessage, answer as unknown as ServerResponse, () => undefined);
  return headers;
}
