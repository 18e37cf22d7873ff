/** Token and secret of the platform as the environment gives them, for senders that have none of their own. */
export class PlatformCredentials {
  constructor(
    readonly accessToken: string,
    readonly appSecret: string,
  ) {}
}
