import { SANDBOX_CREDENTIALS } from '../credentials';
import { json, type Answer } from '../http/answer';
import type { Exchange } from '../http/exchange';
import { invalidParameter } from '../http/graph-error';
import type { Directory } from './directory';

const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'];

/** `GET /debug_token?input_token=`: whether a token is valid and what it may do. */
export function describeToken(exchange: Exchange, directory: Directory): Answer {
  const token = exchange.query.get('input_token');
  if (token === null) throw invalidParameter('The parameter input_token is required.');
  if (!directory.isToken(token)) {
    const error = { code: 190, message: 'The access token could not be decrypted' };
    return json({ data: { error, is_valid: false, scopes: [] } });
  }
  return json({
    data: {
      app_id: SANDBOX_CREDENTIALS.appId,
      type: 'SYSTEM_USER',
      application: 'Sandbox app',
      expires_at: 0,
      is_valid: true,
      scopes: SCOPES,
      granular_scopes: SCOPES.map((scope) => ({ scope })),
    },
  });
}
