import type { Database } from '../../src/infra/database/database';

/** One node of a plan from EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON). */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

/** What a statement read. */
export interface Reading {
  /** Tables read by sequential scan. */
  whole: string[];
  /** Tables and partitions read. */
  tables: string[];
  /** Indexes of which all entries in a range were collected before any row was visited. */
  bitmaps: string[];
  /** Table rows visited, including those that did not match. */
  rows: number;
  /** 8 kB pages visited. */
  pages: number;
}

export interface ExplainedStatement {
  text: string;
  parameters: readonly unknown[];
}

export type PlanMode = 'generic' | 'custom';

/** Statements with their parameters, prepared within one transaction. */
export class ExplainedPlans {
  constructor(
    private readonly database: Database,
    private readonly statements: Readonly<Record<string, ExplainedStatement>>,
  ) {}

  /** Creates the generic plans of all statements, with the current tables and statistics. */
  async prepare(): Promise<void> {
    await this.database.execute(`SET LOCAL plan_cache_mode = 'force_generic_plan'`);
    for (const [name, { text, parameters }] of Object.entries(this.statements)) {
      await this.database.execute(`PREPARE ${name} AS ${text}`);
      await this.database.execute(`EXPLAIN ${execution(name, parameters)}`);
    }
  }

  /** Runs all statements with a generic or custom plan, as chosen by `modeOf`, and rolls back their writes. */
  async read(modeOf: (statement: ExplainedStatement) => PlanMode): Promise<Record<string, Reading>> {
    const readings: Record<string, Reading> = {};
    for (const [name, statement] of Object.entries(this.statements)) {
      const { parameters } = statement;
      await this.database.execute(`SET LOCAL plan_cache_mode = 'force_${modeOf(statement)}_plan'`);
      await this.database.execute('SAVEPOINT before');
      const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${execution(name, parameters)}`;
      const [row] = await this.database.rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain);
      await this.database.execute('ROLLBACK TO SAVEPOINT before');
      readings[name] = readingOf(row!['QUERY PLAN'][0].Plan);
    }
    return readings;
  }
}

/** What each statement reads that `run` sends to the database. */
export async function readingsOf(database: Database, run: () => Promise<unknown>): Promise<Reading[]> {
  const rows = database.rows.bind(database);
  const readings: Reading[] = [];
  const spy = jest.spyOn(database, 'rows').mockImplementation(async (sql, parameters) => {
    const [row] = await rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
      parameters,
    );
    readings.push(readingOf(row!['QUERY PLAN'][0].Plan));
    return rows(sql, parameters);
  });
  try {
    await run();
  } finally {
    spy.mockRestore();
  }
  return readings;
}

/** The pages that all of them visited. */
export function pagesOf(readings: readonly Reading[]): number {
  return readings.reduce((sum, { pages }) => sum + pages, 0);
}

/** What the statement of a plan read. */
export function readingOf(plan: PlanNode): Reading {
  const nodes: PlanNode[] = [plan];
  for (const node of nodes) nodes.push(...(node.Plans ?? []));
  const scans = nodes.filter((node) => node['Relation Name'] !== undefined && node['Node Type'].includes('Scan'));
  const rowsOf = (node: PlanNode): number =>
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
    node['Actual Loops'];
  return {
    whole: scans.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']!),
    tables: [...new Set(nodes.flatMap((node) => node['Relation Name'] ?? []))].sort(),
    bitmaps: nodes.filter((node) => node['Node Type'] === 'Bitmap Index Scan').map((node) => node['Index Name']!),
    rows: scans.reduce((sum, node) => sum + rowsOf(node), 0),
    pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
  };
}

function execution(name: string, parameters: readonly unknown[]): string {
  return parameters.length === 0 ? `EXECUTE ${name}` : `EXECUTE ${name} (${parameters.map(literal).join(', ')})`;
}

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return `'{${value.map((item) => (item === null ? 'NULL' : plain(item))).join(',')}}'`;
  return `'${plain(value)}'`;
}

function plain(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
