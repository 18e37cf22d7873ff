import { Header } from '@nestjs/common';

/** The answer of the route shows a secret, which no cache may store. */
export const ShowsSecret = () => Header('Cache-Control', 'no-store');
