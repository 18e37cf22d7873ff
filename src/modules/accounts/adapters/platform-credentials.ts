/** The platform's access token and app secret from the environment, for senders without their own. */
export class PlatformCredentials {
  constructor(
    readonly accessToken: string,
    readonly appSecret: string,
  ) {}
}
