import { alertRules, expressions } from '../support/monitoring';
import { Client } from '../support/process/client';
import { type Service, startService } from '../support/process/service';

const METRIC = /\b(?:messaging|nodejs|process)_[a-z0-9_]+/g;
const COUNTED = /\b(messaging_\w+_total)\{(\w+)=~?"([^"]+)"\}/g;
const SELECTOR = /\b(\w+)\{([^}]*)\}/g;
const GROUPING = /\b(?:by|on) \(([^)]*)\)/g;
const AGGREGATION = /\b(?:sum|min|max|avg|count|histogram_quantile)\b/;
/** Labels that Prometheus, or its operator, adds to what it reads. */
const ADDED = ['instance', 'job', 'pod'];
/** What a service without Redis does not have. */
const ABSENT = process.env.REDIS_URL ? /^$/ : /^(messaging_wake_up.*|redis)$/;

describe('Alerts and dashboards', () => {
  let service: Service;
  let metrics: string;

  beforeAll(async () => {
    service = await startService();
    // Rejected by the sandbox.
    await new Client(service).post('/send-template', { to: '4915112340002', templateName: 'hello_world' });
    metrics = await (await fetch(`${service.url}/metrics`)).text();
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
  });

  it('use only metrics that a running service exposes', () => {
    const exposed = [...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name!],
    );
    const used = new Set(expressions().flatMap(({ expr }) => expr.match(METRIC) ?? []));
    expect(used.size).toBeGreaterThan(40);
    expect([...used].filter((name) => !exposed.includes(name) && !ABSENT.test(name))).toEqual([]);
  });

  it('select, group by and show only labels that these metrics have', () => {
    // A minute after the first status.
    const labels = new Map([['messaging_last_status_webhook_timestamp_seconds', ['phone_number_id']]]);
    for (const [, name, pairs] of metrics.matchAll(/^(\w+)\{(.*)\} /gm)) {
      labels.set(name!, [...(labels.get(name!) ?? []), ...[...pairs!.matchAll(/(\w+)="/g)].map(([, label]) => label!)]);
    }
    const known = (name: string) => [...ADDED, ...(labels.get(name) ?? [])];
    const wrong = expressions().flatMap(({ expr, shown }) => {
      const all = [...ADDED, ...(expr.match(METRIC) ?? []).flatMap(known)];
      const selected = [...expr.matchAll(SELECTOR)].flatMap(([, name, selectors]) =>
        [...selectors!.matchAll(/(\w+)[=!]~?"/g)].filter(([, label]) => !known(name!).includes(label!)),
      );
      const groups = [...expr.matchAll(GROUPING)].flatMap(([, names]) => names!.split(/,\s*/));
      const kept = AGGREGATION.test(expr) ? groups : all;
      const unknown = [
        ...groups.filter((label) => !all.includes(label)),
        ...shown.filter((one) => !kept.includes(one)),
      ];
      return [...selected.map(([, label]) => label!), ...unknown].map((label) => `${label} in ${expr}`);
    });
    expect(wrong.filter((one) => process.env.REDIS_URL || !one.includes('messaging_wake_up'))).toEqual([]);
  });

  it('count only events that have a series from the start', () => {
    const series = expressions().flatMap(({ expr }) =>
      [...expr.matchAll(COUNTED)].flatMap(([, name, label, values]) =>
        values!.split('|').map((value) => `${name}{${label}="${value}"} `),
      ),
    );
    expect(series.length).toBeGreaterThan(8);
    expect(series.filter((one) => !metrics.includes(`\n${one}`) && !ABSENT.test(one.trim()))).toEqual([]);
  });

  it('include every health check', () => {
    const checks = [...metrics.matchAll(/^messaging_health_check_ok\{check="(\w+)"\}/gm)].map(([, name]) => name!);
    const watched = alertRules().flatMap(({ expr }) =>
      [...expr.matchAll(/check=~?"([^"]+)"/g)].flatMap(([, names]) => names!.split('|')),
    );
    const elsewhere = ['background_work'];
    expect(checks.length).toBeGreaterThan(10);
    expect(checks.filter((name) => ![...watched, ...elsewhere].includes(name))).toEqual([]);
    expect(watched.filter((name) => !checks.includes(name) && !ABSENT.test(name))).toEqual([]);
  });

  it('show the versions of the service and of Node.js, and the role', () => {
    expect(metrics).toMatch(
      new RegExp(
        `^messaging_build_info\\{version="\\d+\\.\\d+\\.\\d+",node="${process.version}",role="all"\\} 1$`,
        'm',
      ),
    );
  });
});
