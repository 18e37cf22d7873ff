import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { loadAll } from 'js-yaml';
import ts from 'typescript';

const ROOT = join(__dirname, '../..');
const FOLDER = 'deploy/kubernetes';

/** An object of Kubernetes, or a patch of one. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  [field: string]: unknown;
}

/** A kustomization.yaml, of a component too, with paths from the root of the repository. */
export interface Kustomization {
  folder: string;
  resources: string[];
  patches: string[];
  components: string[];
  configMaps: { name: string; behavior?: string; literals: string[] }[];
}

interface KustomizationFile {
  resources?: string[];
  patches?: { path: string }[];
  components?: string[];
  configMapGenerator?: Kustomization['configMaps'];
}

/** Where the types of an API version are, and what their names start with. */
const TYPES: Readonly<Record<string, { module: string; prefix?: string }>> = {
  v1: { module: 'kubernetes-types/core/v1' },
  'apps/v1': { module: 'kubernetes-types/apps/v1' },
  'batch/v1': { module: 'kubernetes-types/batch/v1' },
  'autoscaling/v2': { module: 'kubernetes-types/autoscaling/v2' },
  'policy/v1': { module: 'kubernetes-types/policy/v1' },
  'networking.k8s.io/v1': { module: 'kubernetes-types/networking/v1' },
  'monitoring.coreos.com/v1': {
    module: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
    prefix: 'I',
  },
  'keda.sh/v1alpha1': { module: '@kubernetes-models/keda/keda.sh/v1alpha1', prefix: 'I' },
};

/** All YAML files below deploy/kubernetes, as paths from the root. */
export function manifestFiles(): string[] {
  return readdirSync(join(ROOT, FOLDER), { recursive: true, encoding: 'utf8' })
    .map((file) => join(FOLDER, file))
    .filter((file) => statSync(join(ROOT, file)).isFile());
}

/** The documents of a file. */
export function manifestsIn(file: string): Manifest[] {
  return loadAll(readFileSync(join(ROOT, file), 'utf8')) as Manifest[];
}

/** Reads a kustomization.yaml. */
export function kustomization(file: string): Kustomization {
  const [{ resources = [], patches = [], components = [], configMapGenerator = [] }] = manifestsIn(file) as unknown as [
    KustomizationFile,
  ];
  const folder = dirname(file);
  const path = (name: string) => {
    const found = resolve(ROOT, folder, name);
    const isFolder = existsSync(found) && statSync(found).isDirectory();
    return relative(ROOT, isFolder ? join(found, 'kustomization.yaml') : found);
  };
  return {
    folder,
    resources: resources.map(path),
    patches: patches.map(({ path: name }) => path(name)),
    components: components.map(path),
    configMaps: configMapGenerator,
  };
}

/** The type errors of these objects, by the types of Kubernetes and of its operators: unknown or missing fields, wrong types; a `partial` object may lack any. */
export function typeErrors(manifests: readonly Manifest[], partial = false): string[] {
  const file = join(ROOT, 'test/support/kubernetes-manifests.ts');
  const lines = manifests.map((manifest, n) => {
    const { module, prefix = '' } = TYPES[manifest.apiVersion] ?? { module: 'unknown' };
    const type = `import('${module}').${prefix}${manifest.kind}`;
    return `export const object${n}: ${partial ? `Partially<${type}>` : type} = ${JSON.stringify(manifest)};`;
  });
  const partially =
    'type Partially<T> = T extends readonly (infer One)[] ? Partially<One>[] : T extends object ? { [Name in keyof T]?: Partially<T[Name]> | null } & { $patch?: "delete" } : T;';
  const text = [partially, ...lines].join('\n');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, target) =>
    name === file ? ts.createSourceFile(name, text, target) : getSourceFile(name, target);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program, program.getSourceFile(file)).map(({ messageText, start }) => {
    const { kind, metadata } = manifests[text.slice(0, start).split('\n').length - 2]!;
    return `${kind} ${metadata.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
