import { createHmac } from 'node:crypto';

/** Credentials of a call. `appSecret`: of the token's app, if known. */
export interface CloudApiAccess {
  accessToken: string;
  appSecret?: string;
}

/** More than a service has senders; beyond it the cache is cleared. */
const MAX_PROOFS = 10_000;

/** Caches the proofs of the app secret (`appsecret_proof`) by token. */
export class AppSecretProofs {
  private readonly known = new Map<string, { appSecret: string; proof: string }>();

  /** HMAC-SHA256 of the token with the secret as its key, in hex; undefined without a secret. */
  of({ accessToken, appSecret }: CloudApiAccess): string | undefined {
    if (!appSecret) return undefined;
    const known = this.known.get(accessToken);
    if (known?.appSecret === appSecret) return known.proof;
    if (this.known.size >= MAX_PROOFS) this.known.clear();
    const proof = createHmac('sha256', appSecret).update(accessToken).digest('hex');
    this.known.set(accessToken, { appSecret, proof });
    return proof;
  }
}
