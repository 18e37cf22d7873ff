import { Registry } from 'prom-client';
import { BackgroundWork } from '../../kernel/background-work';
import { LoopMetrics } from '../metrics/loop-metrics';
import { backgroundWorkHealth } from './service-checks';

describe('Background work', () => {
  const registry = new Registry();
  const failing = new BackgroundWork('results');
  const other = new BackgroundWork('cleaning');
  new LoopMetrics(registry);

  beforeEach(() => [failing, other].forEach((work) => work.begin()));
  afterEach(() => {
    for (const work of [failing, other]) {
      work.succeeded();
      work.end();
    }
  });

  const fail = (times: number): void => {
    for (let n = 0; n < times; n++) failing.failed(new Error(`duplicate key ${n}`), 0);
  };

  it('fails the check after ten consecutive failures, with its name and last error', () => {
    fail(9);
    other.failed(new Error('once'), 0);
    expect(backgroundWorkHealth()).toEqual({ ok: true });
    fail(1);
    expect(backgroundWorkHealth()).toEqual({ ok: false, reason: 'results failed 10 times in a row: duplicate key 0' });
    failing.succeeded();
    expect(backgroundWorkHealth()).toEqual({ ok: true });
  });

  it('is measured by the worst of those with the same name, and as 0 once it has ended', async () => {
    const text = async () => {
      const lines = (await registry.metrics()).split('\n');
      return lines.filter((line) => line.startsWith('messaging_loop_consecutive_failures{'));
    };
    const twin = new BackgroundWork('results');
    twin.begin();
    fail(12);
    const shown = (failures: number) => [
      `messaging_loop_consecutive_failures{loop="results"} ${failures}`,
      'messaging_loop_consecutive_failures{loop="cleaning"} 0',
    ];
    expect(await text()).toEqual(shown(12));
    for (const work of [failing, twin]) work.end();
    expect(await text()).toEqual(shown(0));
  });
});
