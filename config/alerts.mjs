// Writes the alerts of deploy/prometheus/rules.yml as an object of the Prometheus operator.
import { readFileSync, writeFileSync } from 'node:fs';
import { dump, load } from 'js-yaml';

const { groups } = load(readFileSync('deploy/prometheus/rules.yml', 'utf8'));
const object = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'messaging', labels: { 'app.kubernetes.io/name': 'messaging' } },
  spec: { groups },
};
const text = dump(object, { lineWidth: -1, noRefs: true });
writeFileSync(
  'deploy/kubernetes/components/monitoring/alerts.yaml',
  `# Written by \`npm run alerts\` from deploy/prometheus/rules.yml.\n${text}`,
);
