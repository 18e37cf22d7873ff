import type { OpenAPIObject } from '@nestjs/swagger';
import { RateLimitedError, UnauthorizedError } from '../../kernel/access.errors';
import type { ErrorClass } from '../../kernel/domain-error';
import { type ClosedCodes, completed } from './api-document-completion';

const error = ({ declaration: { code } }: ErrorClass) => ({
  description: code,
  content: { 'application/json': { examples: { [code]: { $ref: `#/components/examples/${code}` } } } },
});

/** A small document as Nest makes it. */
const document = () => ({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        properties: {
          name: { type: 'string', example: 'chair' },
          fault: { type: ['string', 'null'], example: null },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
          owner: { anyOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }], example: null },
        },
      },
      Part: { type: 'object', properties: { kind: { type: 'string', enum: ['leg', 'seat'] } } },
      Form: {
        type: 'object',
        required: ['file', 'kind'],
        properties: {
          kind: { type: 'string', example: 'leg' },
          mode: { type: 'string', default: 'skip' },
          part: { description: 'A part.', allOf: [{ $ref: '#/components/schemas/Part' }] },
          file: { type: 'string', format: 'binary' },
        },
      },
    },
  },
  paths: {
    '/things': {
      get: {
        description: 'Lists things.',
        security: [{ key: [] }],
        parameters: [
          { name: 'kind', in: 'query', required: false, schema: { type: 'string', example: 'leg' } },
          { name: 'page', in: 'query', required: false, schema: { type: 'integer', default: 1, example: 1 } },
        ],
        responses: {
          200: {
            description: '',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          401: error(UnauthorizedError),
          429: error(RateLimitedError),
        },
        'x-required-scope': 'things:read',
      },
    },
    '/sends': {
      post: {
        description: 'Sends a thing.',
        security: [{ key: [] }],
        requestBody: { content: { 'multipart/form-data': { schema: { $ref: '#/components/schemas/Form' } } } },
        parameters: [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string' } }],
        responses: { 200: { description: '' }, 202: { description: '' }, 409: { description: '' } },
      },
    },
    '/health': { get: { responses: { 200: { description: '' }, 503: { description: '' } } } },
  },
});

/** The document as its readers see it: as JSON. */
const served = (codes: ClosedCodes = {}) =>
  JSON.parse(JSON.stringify(completed(document() as unknown as OpenAPIObject, codes))) as OpenAPIObject;
const list = () => served().paths['/things']!.get!;

describe('The completed API document', () => {
  it('names the scope of an operation in its description', () => {
    expect(list().description).toBe('Lists things.\n\nScope: `things:read`');
  });

  it('names every scope that is enough where there are several', () => {
    const several = document();
    Object.assign(several.paths['/things'].get, { 'x-other-scopes': ['things:make', 'things:manage'] });
    const { paths } = completed(several as unknown as OpenAPIObject, {});
    expect(paths['/things']!.get!.description).toMatch(/Scope: `things:read` or `things:make` or `things:manage`$/);
  });

  it('closes the lists of codes, and leaves null to a property that may be null', () => {
    const { components } = served({ Thing: { name: ['chair'], fault: ['worn', 'torn'] } });
    expect(components!.schemas!.Thing).toMatchObject({
      properties: { name: { enum: ['chair'] }, fault: { enum: ['worn', 'torn', null] } },
    });
  });

  it('fails where a list of codes belongs to no property', () => {
    expect(() => served({ Thing: { faults: ['worn'] } })).toThrow('no Thing.faults');
  });

  it('puts the example of an answer together from the examples of its parts', () => {
    expect(list().responses['200']).toMatchObject({
      content: {
        'application/json': { example: { name: 'chair', fault: null, parts: [{ kind: 'leg' }], owner: null } },
      },
    });
  });

  it('fills no filter of a list in by itself, but keeps what has a default', () => {
    expect(list().parameters).toEqual([
      { name: 'kind', in: 'query', required: false, schema: { type: 'string', examples: ['leg'] } },
      { name: 'page', in: 'query', required: false, schema: { type: 'integer', default: 1, example: 1 } },
    ]);
  });

  it('fills in no optional field of a form but its default, and shows the example in its description', () => {
    const form = served().components!.schemas!.Form as { properties: Record<string, object> };
    const { kind, mode, part } = form.properties;
    expect(kind).toEqual({ type: 'string', example: 'leg' });
    expect(mode).toEqual({ type: 'string', description: 'Default: `skip`.', example: 'skip' });
    expect(part).toMatchObject({ description: 'A part. Example: `{"kind":"leg"}`.', example: '' });
  });

  it('says with which headers operations with a key answer', () => {
    const { responses } = list();
    const headers = (status: string) => Object.keys((responses[status] as { headers: object }).headers);
    const rate = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
    expect(headers('200')).toEqual(['X-Request-Id', ...rate]);
    expect(headers('401')).toEqual([]);
    expect(headers('429')).toEqual([...rate, 'Retry-After']);
  });

  it('says which answers may have been given before', () => {
    const { responses } = served().paths['/sends']!.post!;
    const replayed = Object.keys(responses).filter(
      (status) => 'Idempotency-Replayed' in (responses[status] as { headers: object }).headers,
    );
    expect(replayed).toEqual(['202']);
  });

  it('says that an operation without a key needs none, and promises no limits there', () => {
    const health = served().paths['/health']!.get!;
    expect(health.security).toEqual([]);
    expect(health.responses['503']).toEqual({ description: '', headers: {} });
  });

  it('holds the examples of the errors that are answered, each once', () => {
    expect(Object.keys(served().components!.examples!).sort()).toEqual(['rate_limited', 'unauthorized']);
    expect(served().components!.examples!.rate_limited).toMatchObject({
      value: { error: 'Too Many Requests', statusCode: 429, code: 'rate_limited', retryAfter: 1 },
    });
  });

  it('tells a file by its media type, and by the format that older tools read', () => {
    expect(served().components!.schemas!.Form).toMatchObject({
      properties: { file: { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' } },
    });
  });
});
