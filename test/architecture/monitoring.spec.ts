import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { type AlertRule, alertRules, alertTests, dashboards } from '../support/monitoring';
import { ROOT } from './cruise';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** Where the links of the alerts begin: an external label of Prometheus. */
const BASE = '{{ $externalLabels.runbooks }}';
const sectionOf = ({ annotations }: AlertRule) => annotations.runbook_url.replace(BASE, '');

/** The anchors of a page's headings. */
const anchors = (page: string) =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

describe('The alerts in deploy/prometheus', () => {
  const rules = alertRules();
  const names = [...new Set(rules.map(({ alert }) => alert))];

  it('are the rows of "What to watch", in the same order and with the same sections of the runbook', () => {
    const page = read('docs/operations.md');
    const section = page.slice(page.indexOf('## What to watch'), page.indexOf('## Pace and messaging tier'));
    const rows = section.split('\n').filter((line) => /^\| (?!condition|---)/.test(line));
    const links = rows.map((row) => /\| \[(\w+)\]\((runbook\.md#[\w-]+)\) \|/.exec(row)?.slice(1).join(' ') ?? row);
    const linked = rules.map((rule) => `${rule.alert} ${sectionOf(rule).replace('docs/', '')}`);
    expect(rows.length).toBeGreaterThan(25);
    expect([...new Set(linked)]).toEqual(links);
  });

  it('lead to existing sections of the runbook, which name them', () => {
    const runbook = read('docs/runbook.md');
    const known = anchors(runbook).map((anchor) => `docs/runbook.md#${anchor}`);
    expect(rules.map(sectionOf).filter((link) => !known.includes(link))).toEqual([]);
    const sections = runbook.split(/^## /m);
    const unnamed = rules.filter((rule) => {
      const section = sections.find((one) => sectionOf(rule).endsWith(`#${anchors(`## ${one}`)[0]}`));
      return !section?.includes(`\`${rule.alert}\``);
    });
    expect(unnamed.map(({ alert }) => alert)).toEqual([]);
    const named = [...runbook.matchAll(/`(Messaging[A-Z]\w+)`/g)].map(([, name]) => name!);
    expect(named.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('link to an address that is set once', () => {
    expect(rules.filter(({ annotations }) => !annotations.runbook_url.startsWith(BASE))).toEqual([]);
    const { global } = load(read('deploy/prometheus/prometheus.yml')) as {
      global: { external_labels: { runbooks: string } };
    };
    expect(global.external_labels.runbooks).toMatch(/^https:.*\/$/);
  });

  it('have a severity and a summary', () => {
    const wrong = rules.filter(
      ({ labels, annotations }) => !/^(critical|warning|info)$/.test(labels.severity) || !annotations.summary,
    );
    expect(wrong).toEqual([]);
  });

  it('are each tested on series on which they fire, in each severity, and on series on which they do not', () => {
    const tests = alertTests();
    const fired = tests.flatMap(({ promql_expr_test: [test] }) => test!.exp_samples.map(({ labels }) => labels));
    const untested = rules.filter(
      ({ alert, labels }) => !fired.includes(`{alertname="${alert}", severity="${labels.severity}"}`),
    );
    expect(untested.map(({ alert }) => alert)).toEqual([]);
    const silent = tests.filter(({ promql_expr_test: [test] }) => test!.exp_samples.length === 0);
    expect(names.filter((alert) => !silent.some(({ name }) => name.startsWith(`${alert} does not fire `)))).toEqual([]);
  });
});

describe('The dashboards in deploy/grafana', () => {
  it('have different ids and titles, and panels that query the chosen data source', () => {
    const all = dashboards();
    expect(all.map(({ file }) => file).sort()).toEqual([
      'engine.json',
      'overview.json',
      'senders.json',
      'webhooks.json',
    ]);
    expect(new Set(all.map(({ uid }) => uid)).size).toBe(all.length);
    expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
    const panels = all.flatMap(({ panels: own, file }) => own.map((panel) => ({ ...panel, file })));
    const wrong = panels.filter(
      ({ targets }) => targets.length === 0 || targets.some(({ datasource }) => datasource.uid !== '${datasource}'),
    );
    expect(wrong.map(({ file, title }) => `${file}: ${title}`)).toEqual([]);
  });
});
