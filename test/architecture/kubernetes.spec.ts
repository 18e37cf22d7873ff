import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { kustomization, type Manifest, manifestFiles, manifestsIn, typeErrors } from '../support/kubernetes';
import { alertRules } from '../support/monitoring';
import { ROOT } from './cruise';

interface Container {
  name: string;
  image: string;
  command?: string[];
  env?: { name: string }[];
  ports?: { name: string; containerPort: number }[];
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
}

interface Pod {
  terminationGracePeriodSeconds?: number;
  automountServiceAccountToken: boolean;
  securityContext: object;
  containers: Container[];
  volumes: { name: string; secret?: object; persistentVolumeClaim?: { claimName: string } }[];
}

const FILES = manifestFiles();
const KUSTOMIZATIONS = FILES.filter((file) => file.endsWith('kustomization.yaml')).map(kustomization);
const [BASE] = KUSTOMIZATIONS.filter(({ folder }) => folder.endsWith('base'));
const RESOURCES = KUSTOMIZATIONS.flatMap(({ resources }) => resources).filter(
  (file) => !file.includes('kustomization'),
);
const OBJECTS = RESOURCES.flatMap(manifestsIn);
const PATCHES = KUSTOMIZATIONS.flatMap(({ patches }) => patches);
const SETTINGS = new Map(BASE!.configMaps[0]!.literals.map((one) => one.split('=') as [string, string]));

const named = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;
const pods = OBJECTS.filter(({ kind }) => ['Deployment', 'Job'].includes(kind)).map((object) => {
  const { spec } = (object.spec as { template: { spec: Pod } }).template;
  return { name: named(object), pod: spec, container: spec.containers[0]! };
});

describe('deploy/kubernetes', () => {
  it('consists of files that a kustomization names, each once, and of nothing else', () => {
    const used = KUSTOMIZATIONS.flatMap(({ resources, patches }) => [...resources, ...patches]);
    const files = FILES.filter((file) => !/(overlays|components)\/[\w-]+\/kustomization\.yaml$/.test(file));
    expect([...new Set(used)].sort()).toEqual(files.sort());
    const folders = KUSTOMIZATIONS.map(({ folder }) => folder.replace('deploy/kubernetes/', ''));
    expect(folders.sort()).toEqual([
      'base',
      ...['components/bucket', 'components/monitoring', 'components/owner-role'],
      ...['overlays/scaled', 'overlays/small'],
    ]);
    expect(KUSTOMIZATIONS.flatMap(({ components }) => components).filter((file) => !FILES.includes(file))).toEqual([]);
  });

  it('keeps to the types of Kubernetes, of the Prometheus operator and of KEDA', () => {
    expect(OBJECTS.length).toBeGreaterThan(12);
    expect(typeErrors(OBJECTS)).toEqual([]);
    expect(typeErrors(PATCHES.flatMap(manifestsIn), true)).toEqual([]);
    const mistaken = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'one' } };
    const spec = { replicas: '2', selector: {}, template: {}, strateggy: {} };
    expect(typeErrors([{ ...mistaken, spec }])).toEqual([expect.stringMatching(/^Deployment one: .*/)]);
    for (const object of OBJECTS.filter(({ kind }) => ['ServiceMonitor', 'ScaledObject'].includes(kind))) {
      const wrong = { ...object, spec: { ...(object.spec as object), selectr: {} } };
      expect(typeErrors([wrong])).toEqual([expect.stringContaining('selectr')]);
    }
    expect(typeErrors([{ ...mistaken, spec: { strateggy: {} } }], true)).toEqual([
      expect.stringContaining('strateggy'),
    ]);
  });

  it('patches, scales, protects and mounts only objects that exist', () => {
    const names = OBJECTS.map(named);
    const patched = PATCHES.flatMap(manifestsIn).map(named);
    const scaled = OBJECTS.flatMap(({ spec }) => {
      const { scaleTargetRef: to } = spec as { scaleTargetRef?: { kind?: string; name: string } };
      return to ? [`${to.kind ?? 'Deployment'} ${to.name}`] : [];
    });
    const mounted = pods.flatMap(({ pod }) =>
      pod.volumes.flatMap(({ persistentVolumeClaim: claim }) =>
        claim ? [`PersistentVolumeClaim ${claim.claimName}`] : [],
      ),
    );
    expect(scaled).toEqual(['Deployment messaging-api', 'Deployment messaging-worker']);
    expect([...patched, ...scaled, ...mounted].filter((name) => !names.includes(name))).toEqual([]);
    const components = JSON.stringify(pods.map(({ name }) => name));
    const selected = [...JSON.stringify(OBJECTS).matchAll(/"app\.kubernetes\.io\/component":"(\w+)"/g)];
    const unknown = selected.map(([, name]) => name!).filter((name) => !components.includes(`messaging-${name}`));
    // The service of the metrics, which the ServiceMonitor selects.
    expect([...new Set(unknown)]).toEqual(['metrics']);
  });

  it('scales workers by queries that promtool tests', () => {
    const [scaler] = OBJECTS.filter(({ kind }) => kind === 'ScaledObject');
    const { triggers } = scaler!.spec as { triggers: { metadata: { query: string; threshold: string } }[] };
    const tests = readFileSync(join(ROOT, 'deploy/prometheus/tests.yml'), 'utf8');
    const bounded = triggers.filter(({ metadata }) => metadata.query.includes('recipients_waiting'));
    expect(bounded.map(({ metadata }) => [metadata.threshold, tests.includes(metadata.query)])).toEqual([['1', true]]);
  });

  it('has the alerts of deploy/prometheus/rules.yml, written by npm run alerts', () => {
    const [{ spec }] = OBJECTS.filter(({ kind }) => kind === 'PrometheusRule') as [Manifest];
    expect(spec).toEqual(load(readFileSync(join(ROOT, 'deploy/prometheus/rules.yml'), 'utf8')));
  });

  it('gives metrics the job that the alerts read', () => {
    const [service, monitor] = manifestsIn('deploy/kubernetes/components/monitoring/metrics.yaml');
    const { labels } = service!.metadata as { labels?: Record<string, string> };
    const job = labels?.[(monitor!.spec as { jobLabel: string }).jobLabel];
    expect(alertRules().map(({ expr }) => expr)).toContain(`up{job="${job}"} == 0`);
  });

  it('migrates with the role of the component owner-role, whose address is a file of the Secret', () => {
    const page = readFileSync(join(ROOT, 'docs/kubernetes.md'), 'utf8');
    const patch = JSON.stringify(manifestsIn('deploy/kubernetes/components/owner-role/migrate-as-owner.yaml'));
    const [, file] = /"DATABASE_URL_FILE","value":"\/run\/secrets\/messaging\/([\w-]+)"/.exec(patch)!;
    expect(page).toContain(`--from-file=${file}=`);
  });

  it('needs no volume with the component for a bucket', () => {
    const patches = manifestsIn('deploy/kubernetes/components/bucket/no-volume.yaml');
    const claimed = pods.flatMap(({ name, pod }) =>
      pod.volumes.flatMap((volume) => (volume.persistentVolumeClaim ? [{ name, volume: volume.name }] : [])),
    );
    const replaced = patches.flatMap((patch) => {
      const { template } = (patch.spec ?? {}) as { template?: { spec: Pod } };
      return (template?.spec.volumes ?? []).map((volume) => {
        expect(volume).toMatchObject({ persistentVolumeClaim: null, emptyDir: {} });
        return { name: named(patch), volume: volume.name };
      });
    });
    expect(replaced).toEqual(claimed);
    const claims = OBJECTS.filter(({ kind }) => kind === 'PersistentVolumeClaim').map(named);
    expect(patches.filter((patch) => patch.$patch === 'delete').map(named)).toEqual(claims);
  });

  it('runs each container without privileges on a read-only file system', () => {
    for (const { pod, container } of pods) {
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        fsGroup: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(container.securityContext).toEqual({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(
        expect.arrayContaining(['/data', '/tmp', '/run/secrets/messaging']),
      );
    }
    expect(pods.map(({ name }) => name)).toEqual([
      'Deployment messaging-api',
      'Deployment messaging-worker',
      'Job messaging-migrate',
    ]);
  });

  it('sets only settings of the README, secrets by file, and mounts these files', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const all = KUSTOMIZATIONS.flatMap(({ configMaps }) => configMaps.flatMap(({ literals }) => literals));
    const names = all.map((one) => one.split('=')[0]!.replace(/_FILE$/, ''));
    expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
    const files = [...SETTINGS].filter(([name]) => name.endsWith('_FILE'));
    expect(files.length).toBe(7);
    expect(files.filter(([, path]) => !path.startsWith('/run/secrets/messaging/'))).toEqual([]);
    const page = readFileSync(join(ROOT, 'docs/kubernetes.md'), 'utf8');
    expect(files.filter(([, path]) => !page.includes(`--from-file=${path.split('/').pop()}=`))).toEqual([]);
  });

  it('runs the version of this repository', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const base = readFileSync(join(ROOT, BASE!.folder, 'kustomization.yaml'), 'utf8');
    expect(base).toContain(`{ name: messaging-template-api, newTag: ${version} }`);
  });

  it('gives each process the time to finish, and the ports that the probes and the metrics use', () => {
    const seconds = ['SHUTDOWN_DELAY_SECONDS', 'PLATFORM_TIMEOUT_SECONDS'].map((name) => Number(SETTINGS.get(name)));
    const served = pods.filter(({ name }) => name.startsWith('Deployment'));
    for (const { pod, container } of served) {
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(seconds[0]! + seconds[1]! + 10);
      expect(container.ports).toEqual([
        { name: 'http', containerPort: 3000 },
        { name: 'metrics', containerPort: Number(SETTINGS.get('METRICS_PORT')) },
      ]);
      expect(container).toMatchObject({
        // Before it listens, a process migrates the tables or waits for the one that does.
        startupProbe: { httpGet: { path: '/health/live', port: 'http' }, periodSeconds: 2, failureThreshold: 900 },
        livenessProbe: { httpGet: { path: '/health/live', port: 'http' } },
        readinessProbe: { httpGet: { path: '/health/ready', port: 'http' } },
      });
    }
    expect(served.length).toBe(2);
  });
});
