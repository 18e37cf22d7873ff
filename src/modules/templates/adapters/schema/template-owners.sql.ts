/** Assigns templates to the business account of their sender. */
export const TEMPLATE_OWNERS = `
-- When the last sender of a business account moves, its templates move too, until the next sync.
CREATE FUNCTION templates_follow_sender() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE templates t SET business_account_id = NEW.business_account_id
  WHERE t.account_id = NEW.account_id AND t.business_account_id = OLD.business_account_id
    AND NOT EXISTS (SELECT 1 FROM senders s WHERE s.account_id = NEW.account_id AND s.business_account_id = OLD.business_account_id
      AND s.deleted_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM templates o WHERE o.account_id = t.account_id
      AND o.business_account_id = NEW.business_account_id AND o.name = t.name AND o.language_code = t.language_code);
  RETURN NULL;
END $$;
CREATE TRIGGER templates_follow_sender AFTER UPDATE OF business_account_id ON senders
  FOR EACH ROW WHEN (NEW.business_account_id <> OLD.business_account_id) EXECUTE FUNCTION templates_follow_sender();
`;
