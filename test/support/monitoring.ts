import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

const ROOT = join(__dirname, '../..');
const DASHBOARDS = 'deploy/grafana';

/** A rule of deploy/prometheus/rules.yml. */
export interface AlertRule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

/** A test of deploy/prometheus/tests.yml. */
export interface AlertTest {
  name: string;
  promql_expr_test: { exp_samples: { labels: string }[] }[];
}

/** A dashboard of deploy/grafana. */
export interface Dashboard {
  file: string;
  uid: string;
  title: string;
  panels: { title: string; targets: { expr: string; legendFormat?: string; datasource: { uid: string } }[] }[];
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** The alert rules, in the order of the file. */
export function alertRules(): AlertRule[] {
  const { groups } = load(read('deploy/prometheus/rules.yml')) as { groups: { rules: AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** The tests that promtool runs on the rules. */
export function alertTests(): AlertTest[] {
  return (load(read('deploy/prometheus/tests.yml')) as { tests: AlertTest[] }).tests;
}

/** All dashboards. */
export function dashboards(): Dashboard[] {
  return readdirSync(join(ROOT, DASHBOARDS))
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ ...(JSON.parse(read(`${DASHBOARDS}/${file}`)) as Dashboard), file }));
}

/** The expressions of all rules and dashboards, with the labels that summaries and legends show. */
export function expressions(): { expr: string; shown: string[] }[] {
  const rules = alertRules().map(({ expr, annotations: { summary } }) => ({ expr, text: summary }));
  const targets = dashboards().flatMap(({ panels }) => panels.flatMap((panel) => panel.targets));
  const shows = targets.map(({ expr, legendFormat }) => ({ expr, text: legendFormat ?? '' }));
  return [...rules, ...shows].map(({ expr, text }) => ({
    expr,
    shown: [...text.matchAll(/\{\{ ?(?:\$labels\.)?(\w+) ?\}\}/g)].map(([, label]) => label!),
  }));
}
