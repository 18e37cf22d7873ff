import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readReply } from './cloud-api-reply';

const FIXTURES = join(__dirname, 'fixtures');

function example(prefix: string): { status: number; text: string; body: Record<string, unknown> } {
  const file = readdirSync(FIXTURES).find((name) => name.startsWith(prefix));
  const { _http, body } = JSON.parse(readFileSync(join(FIXTURES, file ?? prefix), 'utf8'));
  return { status: _http.status, text: JSON.stringify(body), body };
}

const read = (status: number, text: string) => readReply(status, text, 'secret-token');

describe('readReply', () => {
  it.each(['04', '05'])('reads example %s as an answer', (prefix) => {
    const { status, text, body } = example(prefix);
    expect(read(status, text)).toEqual({ kind: 'answer', status: 200, body });
  });

  it.each([
    [
      '09',
      { code: 130429, class: 'throttle', httpStatus: 400, details: 'Sender throughput exhausted for this second.' },
    ],
    ['10', { code: 132000, class: 'message', problem: 'parameter_count_mismatch' }],
    ['11', { code: 132001, class: 'job', httpStatus: 404 }],
    ['12', { code: 190, subcode: 463, class: 'job', httpStatus: 401 }],
    ['13', { code: 100, subcode: 33, class: 'job', problem: 'object_unknown' }],
  ])('reads example %s as a refusal', (prefix, error) => {
    const { status, text } = example(prefix);
    expect(read(status, text)).toMatchObject({ kind: 'refusal', status, error });
  });

  it.each([
    [502, '<html>Bad gateway</html>'],
    [500, '{"message":"internal"}'],
    [503, '{"error":{"message":"no code"}}'],
    [503, '{"error":{"code":"131016"}}'],
    [503, '{"error":{"code":1.5}}'],
    [404, '{}'],
    [403, '"forbidden"'],
    [302, ''],
    [200, 'OK'],
    [200, ''],
    [204, ''],
  ])('reports HTTP %i with %j as no answer', (status, text) => {
    expect(read(status, text)).toMatchObject({ kind: 'no_answer' });
  });

  it('leaves a success without the expected fields to the caller', () => {
    expect(read(200, '{"messages":[]}')).toEqual({ kind: 'answer', status: 200, body: { messages: [] } });
    expect(read(200, 'null')).toEqual({ kind: 'answer', status: 200, body: null });
  });

  it('reports an error code as a refusal even with HTTP 200', () => {
    expect(read(200, '{"error":{"code":131026,"message":"no"}}')).toMatchObject({
      kind: 'refusal',
      error: { code: 131026 },
    });
  });

  it('removes the access token wherever the platform quotes it', () => {
    const text = JSON.stringify({
      error: { code: 190, message: 'bad secret-token', error_data: { details: 'token secret-token ended' } },
    });
    const reply = read(401, text);
    expect(JSON.stringify(reply)).not.toContain('secret-token');
    expect(reply).toMatchObject({ error: { message: 'bad [token]', details: 'token [token] ended' } });
  });

  it.each([
    'Invalid appsecret_proof provided in the API argument',
    'API calls from the server require an appsecret_proof argument',
  ])('reports the unspecific code 100 as refused credentials: %s', (message) => {
    const reply = read(400, JSON.stringify({ error: { message, type: 'GraphMethodException', code: 100 } }));
    expect(reply).toMatchObject({ error: { class: 'job', problem: 'platform_credentials_invalid' } });
  });

  it("uses the platform's user message if there are no other details", () => {
    const text = '{"error":{"code":100,"error_subcode":2388299,"error_user_msg":"Put words around it."}}';
    expect(read(400, text)).toMatchObject({
      error: { details: 'Put words around it.', problem: 'template_variable_at_edge' },
    });
  });
});
