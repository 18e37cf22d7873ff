/**
 * Lints an OpenAPI document: `node config/lint-openapi.mjs docs/openapi.json`. Prints each problem; exits with 1 if there is one.
 */
import { createConfig, lint } from '@redocly/openapi-core';

const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    'operation-description': 'error',
    'operation-singular-tag': 'error',
    'operation-tag-defined': 'error',
    'parameter-description': 'error',
    'tag-description': 'error',
    'tags-duplicated': 'error',
    'no-invalid-parameter-examples': 'error',
    'no-http-verbs-in-paths': 'error',
    'paths-kebab-case': 'error',
    // The service is not published under a licence.
    'info-license': 'off',
    // The health checks have no client errors.
    'operation-4xx-response': 'off',
  },
});
const [file] = process.argv.slice(2);
const found = await lint({ ref: file, config });
const ALLOWED = {
  // Event names are not paths.
  'paths-kebab-case': /^#\/webhooks\//,
  // In a form the empty string omits a field of any type.
  'no-invalid-schema-examples': /^#\/components\/schemas\/\w+FormDto\/properties\/\w+\/example$/,
};
const problems = found.filter(({ ruleId, location }) => !ALLOWED[ruleId]?.test(location[0].pointer));
for (const { ruleId, message, location } of problems) {
  process.stdout.write(`${ruleId}: ${location[0].pointer}: ${message}\n`);
}
process.stdout.write(`${file}: ${problems.length} problems\n`);
process.exit(problems.length === 0 ? 0 : 1);
