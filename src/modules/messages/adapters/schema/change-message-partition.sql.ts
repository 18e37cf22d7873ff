import { PARTITION_STORAGE } from '../message-partition';

/**
 * Storage parameters of tables with a row for each message. With the defaults of PostgreSQL a month of 30 million messages is vacuumed after six
 * million changes: until then lists read the rows that their index covers.
 */
export const VACUUM_OF_LARGE_TABLES =
  'autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02';

/**
 * Changes one monthly partition of the message history: only the owner of a table can, and the service may use a role that owns none. Accepts
 * no other tables, and gives no right that DELETE on the history does not give.
 */
const changeMessagePartition = (define: string, storage: string): string => `
${define} FUNCTION change_message_partition(change text, name text, low uuid DEFAULT NULL, high uuid DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  -- Otherwise temporary tables of the caller come first, and the owner would use their definitions.
  PERFORM set_config('search_path', current_setting('search_path') || ', pg_temp', true);
  IF name !~ '^messages_[0-9]{4}_[0-9]{2}$' THEN
    RAISE EXCEPTION '"%" is not a partition of the message history', name;
  END IF;
  EXECUTE format(CASE change
    WHEN 'create' THEN 'CREATE TABLE %1$I (LIKE messages INCLUDING ALL) WITH (${storage})'
    WHEN 'attach' THEN 'ALTER TABLE messages ATTACH PARTITION %1$I FOR VALUES FROM (%2$L) TO (%3$L)'
    WHEN 'detach' THEN 'ALTER TABLE messages DETACH PARTITION %1$I'
    WHEN 'drop' THEN 'DROP TABLE %1$I'
  END, name, low, high);
END $$;
REVOKE EXECUTE ON FUNCTION change_message_partition FROM PUBLIC;
`;

export const CHANGE_MESSAGE_PARTITION = changeMessagePartition('CREATE', PARTITION_STORAGE);

/** Creates partitions that are vacuumed as VACUUM_OF_LARGE_TABLES says. */
export const CREATE_VACUUMED_PARTITIONS = changeMessagePartition(
  'CREATE OR REPLACE',
  `${PARTITION_STORAGE}, ${VACUUM_OF_LARGE_TABLES}`,
);
