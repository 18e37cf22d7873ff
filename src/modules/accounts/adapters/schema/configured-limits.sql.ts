/** Keeps the earlier and current columns of a sender's configured limits equal, whichever is written. */
export const CONFIGURED_LIMITS = `
CREATE FUNCTION senders_keep_own_limits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.configured_messages_per_second := COALESCE(NEW.configured_messages_per_second, NEW.own_messages_per_second);
    NEW.configured_messaging_tier := COALESCE(NEW.configured_messaging_tier, NEW.own_messaging_tier);
  ELSE
    IF NEW.own_messages_per_second IS DISTINCT FROM OLD.own_messages_per_second THEN
      NEW.configured_messages_per_second := NEW.own_messages_per_second;
    END IF;
    IF NEW.own_messaging_tier IS DISTINCT FROM OLD.own_messaging_tier THEN
      NEW.configured_messaging_tier := NEW.own_messaging_tier;
    END IF;
  END IF;
  NEW.own_messages_per_second := NEW.configured_messages_per_second;
  NEW.own_messaging_tier := NEW.configured_messaging_tier;
  RETURN NEW;
END $$;
CREATE TRIGGER senders_keep_own_limits BEFORE INSERT OR UPDATE ON senders
  FOR EACH ROW EXECUTE FUNCTION senders_keep_own_limits();
`;
