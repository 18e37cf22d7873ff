/** One row that identifies this database; after a restore from a dump it identifies the original. See DatabaseIdentity. */
export const DATABASE_IDENTITY = `
CREATE TABLE database_identity (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  -- System identifier of the cluster, OID of the database and OID of this table, as of the last start of the service.
  identity text NOT NULL,
  timeline integer,
  -- Whether commits waited for a standby when the timeline was recorded: a standby that takes over then lacks nothing.
  synchronous boolean NOT NULL DEFAULT false,
  -- When it was last found, or confirmed by a person, to be restored.
  restored_at timestamptz,
  -- When a person last allowed the events of a restored database to be delivered.
  events_confirmed_at timestamptz
);
INSERT INTO database_identity (identity)
SELECT concat_ws('/', c.system_identifier, d.oid, 'database_identity'::regclass::oid)
FROM pg_control_system() c, pg_database d WHERE d.datname = current_database();
`;
