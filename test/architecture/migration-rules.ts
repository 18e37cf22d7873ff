import type { Migration } from '../../src/infra/database/migrations';

/** What a part of a statement may not do beside processes of the version before, unless `except` matches, and why. */
const PROHIBITED: readonly { pattern: RegExp; except?: RegExp; reason: string }[] = [
  {
    pattern: /\bALTER (COLUMN )?\w+ (SET DATA )?TYPE\b/i,
    reason: 'a column of another type rewrites the table while it is locked',
  },
  {
    pattern: /\bALTER (COLUMN )?\w+ SET NOT NULL\b/i,
    reason: 'SET NOT NULL reads the whole table while it is locked',
  },
  {
    pattern: /\bADD COLUMN\b.*\bNOT NULL\b/is,
    except: /\bDEFAULT\b/i,
    reason: 'the version before inserts rows without a new NOT NULL column: give it a default',
  },
  {
    pattern: /\bADD COLUMN\b.*\bDEFAULT\b.*\b(clock_timestamp|gen_random_uuid|random|nextval|timeofday)\b/is,
    reason: 'a volatile default rewrites the table while it is locked: set it in a second statement',
  },
  {
    pattern: /\bADD (CONSTRAINT \w+ )?(CHECK|FOREIGN KEY|EXCLUDE)\b/i,
    except: /\bNOT VALID\b/i,
    reason: 'a constraint reads the whole table while it is locked: add it NOT VALID, then validate it',
  },
  {
    pattern: /\bADD (CONSTRAINT \w+ )?(UNIQUE|PRIMARY KEY)\b/i,
    except: /\bUSING INDEX\b/i,
    reason: 'builds an index while the table is locked: build it CONCURRENTLY, then use USING INDEX',
  },
  {
    pattern: /\b(TRUNCATE|CLUSTER|VACUUM FULL|LOCK TABLE|REFRESH|REINDEX)\b/i,
    except: /\bCONCURRENTLY\b/i,
    reason: 'locks a whole table',
  },
  { pattern: /\bSET (LOCAL )?(lock_timeout|statement_timeout)\b/i, reason: 'the runner sets the timeouts' },
];

const REMOVES =
  /\bRENAME\b|\bDROP (COLUMN|TABLE|FUNCTION|TRIGGER|VIEW|TYPE|SEQUENCE|CONSTRAINT)\b|\bALTER (COLUMN )?\w+ DROP DEFAULT\b/i;
/** Without a foreign key, which has its default name, no statement of the version before fails. */
const FOREIGN_KEY = /\bDROP CONSTRAINT (?:IF EXISTS )?\w+_fkey\b/gi;
const CONTRACT = /-- contract of ([\w-]+)/g;
const NEW_TABLE = /\bCREATE TABLE (?:IF NOT EXISTS )?(\w+)/gi;
const ALTERED = /\bALTER TABLE (?:ONLY )?(\w+)/i;
const NEXT_CHANGE = /,\s*(?=(?:ADD|ALTER|DROP|RENAME|VALIDATE)\b)/i;
const CHANGES_ROWS = /^ *(?:UPDATE|DELETE FROM|INSERT INTO) (\w+)/gim;

/**
 * What a migration does that the version before would not survive: one sentence each. `released`: the migrations of earlier releases. Indexes
 * are checked by schema.spec.ts.
 */
export function violationsIn(migration: Migration, released: ReadonlySet<string>): string[] {
  const { name, partitions, transaction = true } = migration;
  const statements = [...migration.statements, ...(partitions?.statements('partition_of_it') ?? [])];
  const plain = statements.map((statement) => statement.replaceAll(/--.*$/gm, ''));
  // A table that the migration creates itself is not in use.
  const own = plain.flatMap((statement) => [...statement.matchAll(NEW_TABLE)].map(([, table]) => table));
  const changes = plain
    .flatMap((statement) => statement.split(';'))
    .filter((part) => !own.includes(ALTERED.exec(part)?.[1]))
    .flatMap((part) => part.split(NEXT_CHANGE));
  const found = PROHIBITED.filter(({ pattern, except }) =>
    changes.some((change) => pattern.test(change) && !except?.test(change)),
  ).map(({ reason }) => reason);

  const contracted = statements.flatMap((text) => [...text.matchAll(CONTRACT)].map(([, expansion]) => expansion!));
  // A function that is replaced may drop partitions, as before.
  const removing = plain.filter((statement) => !isFunction(statement)).map((text) => text.replaceAll(FOREIGN_KEY, ''));
  if (contracted.length === 0 && removing.some((statement) => REMOVES.test(statement)))
    found.push('what the version before uses is renamed or dropped one release later: -- contract of <its expansion>');
  for (const expansion of contracted) {
    if (!released.has(expansion)) found.push(`no earlier release has the migration ${expansion}`);
  }

  const changesAllRows = plain.some((statement) => {
    const isBatched = /\bDO\b/.test(statement) && /\bCOMMIT\b/.test(statement) && !transaction;
    return (
      !isBatched &&
      !isFunction(statement) &&
      [...statement.matchAll(CHANGES_ROWS)].some(([, table]) => !own.includes(table))
    );
  });
  if (changesAllRows)
    found.push('rows of existing tables are changed by a DO block that commits batches, with transaction: false');
  return found.map((reason) => `${name}: ${reason}`);
}

function isFunction(statement: string): boolean {
  return /\bCREATE (OR REPLACE )?FUNCTION\b/i.test(statement);
}
