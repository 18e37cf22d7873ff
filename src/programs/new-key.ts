import 'reflect-metadata';
import { readCommandLine } from './command-line';
import { ApiKeysService } from '../modules/accounts/domain/api-keys.service';
import { runProgram, withParts } from './program';

readCommandLine('new-key', "Creates a key with all scopes in the operator's account, prints it, and exits.");

/** `npm run new-key`: a key for an operator who has lost all of them. Needs the credentials of the database, which give full access already. */
runProgram((parts) =>
  withParts(parts, async (app) => {
    const { key, secret } = await app.get(ApiKeysService).createForOperator();
    process.stderr.write(
      `Created the key ${key.id} with all scopes, shown once. Revoke the lost ones with it: GET /api-keys, DELETE /api-keys/{id}\n`,
    );
    process.stdout.write(`${secret}\n`);
  }),
);
