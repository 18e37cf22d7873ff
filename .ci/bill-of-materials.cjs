/**
 * Prints what the service ships as CycloneDX, from package-lock.json: all packages that are not for development, with those that are bundled into
 * the console and the command line. `npm sbom --omit dev` leaves out two of five: each that a development package needs as well.
 */
const { randomUUID } = require('node:crypto');
const { name, version, license, packages } = { ...require('../package.json'), ...require('../package-lock.json') };

const purl = (packageName, of) => `pkg:npm/${packageName.replace('@', '%40')}@${of}`;
const components = Object.entries(packages)
  .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
  .map(([path, one]) => ({ ...one, name: path.split('node_modules/').at(-1) }))
  .map((one) => ({
    type: 'library',
    'bom-ref': `${one.name}@${one.version}`,
    name: one.name,
    version: one.version,
    scope: one.optional ? 'optional' : 'required',
    hashes: [{ alg: 'SHA-512', content: Buffer.from(one.integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    licenses: one.license ? [{ expression: one.license }] : [],
    purl: purl(one.name, one.version),
  }));

console.log(
  JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      serialNumber: `urn:uuid:${randomUUID()}`,
      version: 1,
      metadata: {
        timestamp: new Date().toISOString(),
        component: {
          type: 'application',
          'bom-ref': `${name}@${version}`,
          name,
          version,
          licenses: [{ expression: license }],
          purl: purl(name, version),
        },
      },
      // A package may be installed in several places.
      components: [...new Map(components.map((one) => [one['bom-ref'], one])).values()],
    },
    null,
    2,
  ),
);
