import { createHmac } from 'node:crypto';

/** What a call is made with. `appSecret` is that of the app that the token belongs to; absent: not known. */
export interface CloudApiAccess {
  accessToken: string;
  appSecret?: string;
}

/** More than a service has senders; beyond it the proofs are made anew. */
const MOST_KEPT = 10_000;

/** The proofs that the caller knows the secret of the app (`appsecret_proof`), each made once for its token. */
export class AppSecretProofs {
  private readonly known = new Map<string, { appSecret: string; proof: string }>();

  /** HMAC-SHA256 of the token with the secret as its key, in hex; undefined without a secret. */
  of({ accessToken, appSecret }: CloudApiAccess): string | undefined {
    if (!appSecret) return undefined;
    const known = this.known.get(accessToken);
    if (known?.appSecret === appSecret) return known.proof;
    if (this.known.size >= MOST_KEPT) this.known.clear();
    const proof = createHmac('sha256', appSecret).update(accessToken).digest('hex');
    this.known.set(accessToken, { appSecret, proof });
    return proof;
  }
}
