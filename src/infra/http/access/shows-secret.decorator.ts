import { Header } from '@nestjs/common';

/** The response contains a secret, which no cache may store. */
export const ShowsSecret = () => Header('Cache-Control', 'no-store');
