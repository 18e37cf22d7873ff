import { createHmac } from 'node:crypto';
import { SANDBOX_CREDENTIALS } from '../credentials';
import { json, type HandlerResult } from '../http/handler-result';
import type { Exchange } from '../http/exchange';
import { GraphError, invalidParameter } from '../http/graph-error';
import type { Directory } from './directory';

const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'];

/** The access token of the app itself. */
export const APP_TOKEN = `${SANDBOX_CREDENTIALS.appId}|${SANDBOX_CREDENTIALS.appSecret}`;

/** Rejects a call with a wrong `appsecret_proof`, or without one if it is required. */
export function checkProof(exchange: Exchange, token: string, directory: Directory, isRequired: boolean): void {
  const proof = exchange.query.get('appsecret_proof');
  const type = 'GraphMethodException';
  if (proof === null) {
    if (!isRequired) return;
    throw new GraphError(100, { message: 'API calls from the server require an appsecret_proof argument', type });
  }
  const secrets = token === APP_TOKEN ? [SANDBOX_CREDENTIALS.appSecret] : directory.appSecretsOf(token);
  for (const secret of secrets) if (proofOf(token, secret) === proof) return;
  throw new GraphError(100, { message: 'Invalid appsecret_proof provided in the API argument', type });
}

const proofs = new Map<string, string>();

function proofOf(token: string, secret: string): string {
  const key = `${secret} ${token}`;
  let proof = proofs.get(key);
  if (proof === undefined) {
    proof = createHmac('sha256', secret).update(token).digest('hex');
    proofs.set(key, proof);
  }
  return proof;
}

/** `GET /debug_token?input_token=`: whether a token is valid, and its scopes. */
export function describeToken(exchange: Exchange, directory: Directory): HandlerResult {
  const token = exchange.query.get('input_token');
  if (token === null) throw invalidParameter('The parameter input_token is required.');
  if (!directory.isValidToken(token)) {
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
