/**
 * Creates or drops a daily partition of the delivery log: only the owner of a table can, and the service may use a role that owns none. Accepts
 * no other tables, and gives no right that DELETE on the log does not give.
 */
export const CHANGE_DELIVERY_LOG = `
CREATE FUNCTION change_delivery_log(change text, log text, name text, low uuid DEFAULT NULL, high uuid DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  -- Otherwise temporary tables of the caller come first, and the owner would use their definitions.
  PERFORM set_config('search_path', current_setting('search_path') || ', pg_temp', true);
  IF log NOT IN ('webhook_deliveries', 'webhook_bodies') OR name !~ ('^' || log || '_[0-9]{8}$') THEN
    RAISE EXCEPTION '"%" is not a partition of the delivery log', name;
  END IF;
  EXECUTE format(CASE change
    WHEN 'create' THEN 'CREATE TABLE IF NOT EXISTS %1$I PARTITION OF %2$I FOR VALUES FROM (%3$L) TO (%4$L)'
    WHEN 'drop' THEN 'DROP TABLE IF EXISTS %1$I'
  END, name, log, low, high);
END $$;
REVOKE EXECUTE ON FUNCTION change_delivery_log FROM PUBLIC;
`;
