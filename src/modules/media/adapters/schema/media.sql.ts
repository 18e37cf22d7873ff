/** Inbound media files: those to fetch from the platform, and those stored. */
export const MEDIA = `
-- The file itself is in the media folder, under the message's id. next_try_at: when to fetch the file next, or to delete it once its
-- state is Removed; NULL: never. claim: the process that does so now, until next_try_at.
CREATE TABLE inbound_media (
  message_id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  -- The sender that received it. NULL: recorded by an early version, the oldest sender of the account.
  sender_id uuid,
  platform_media_id text NOT NULL,
  mime_type text,
  received_at timestamptz NOT NULL,
  state text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_try_at timestamptz,
  claim uuid,
  size bigint,
  sha256 text,
  problem text
);
-- Claims the files that are due to be fetched or deleted.
CREATE INDEX inbound_media_due ON inbound_media (next_try_at) WHERE next_try_at IS NOT NULL;
`;
