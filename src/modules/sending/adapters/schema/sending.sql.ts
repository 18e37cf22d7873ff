/** Single sends, and the budgets of messaging tiers. */
export const SENDING = `
CREATE TABLE single_sends (
  message_id uuid PRIMARY KEY,
  sender_id uuid NOT NULL REFERENCES senders (id) ON DELETE CASCADE,
  attempt integer NOT NULL,
  strikes smallint NOT NULL DEFAULT 0,
  throttles smallint NOT NULL DEFAULT 0,
  sending_epoch bigint,
  retry_at timestamptz,
  -- The messaging tier had no room: held sends request room together, separately from sendable ones.
  needs_room boolean NOT NULL DEFAULT false,
  give_up_at timestamptz,
  unknown_since timestamptz,
  outcome text,
  problem text,
  valid_until timestamptz NOT NULL,
  -- The API key of the request, kept after the key's deletion. NULL in sends of early versions.
  created_by uuid,
  -- The request that sent it, and its trace (header traceparent). NULL: not recorded.
  request_id text,
  traceparent text
) WITH (fillfactor = 60);
-- SENDERS_TO_RUN (lane-leases.sql.ts): whether a sender has a due send.
CREATE INDEX single_sends_retry ON single_sends (sender_id, retry_at) WHERE retry_at IS NOT NULL;
-- ANY_DUE, CLAIM_DUE (single-sends.sql.ts, as all below).
CREATE INDEX single_sends_due ON single_sends (sender_id, retry_at) WHERE retry_at IS NOT NULL AND NOT needs_room;
-- ANY_DUE, LOCK_HELD.
CREATE INDEX single_sends_held ON single_sends (sender_id, retry_at) WHERE retry_at IS NOT NULL AND needs_room;
-- LOCK_OVERDUE and LOCK_OPEN: waiting sends whose validity has ended.
CREATE INDEX single_sends_validity ON single_sends (valid_until) WHERE retry_at IS NOT NULL;
-- LOCK_STRANDED: sends in flight under an earlier epoch.
CREATE INDEX single_sends_sending ON single_sends (sender_id, sending_epoch) WHERE sending_epoch IS NOT NULL;
-- LOCK_OVERDUE and LOCK_OPEN: requests whose answer is overdue.
CREATE INDEX single_sends_give_up ON single_sends (give_up_at) WHERE give_up_at IS NOT NULL;
-- LOCK_OVERDUE: unknown outcomes whose grace time has ended.
CREATE INDEX single_sends_in_grace ON single_sends (unknown_since) WHERE unknown_since IS NOT NULL;

-- People with whom a business started a conversation: its messaging tier limits their number in a moving window of 24
-- hours. message_id is NULL if several messages rely on the row. at_most is an upper bound of a portfolio's people in
-- the window, stored because counting is slow.
CREATE TABLE portfolios (id text PRIMARY KEY, at_most integer NOT NULL DEFAULT 0);
CREATE TABLE tier_conversations (
  portfolio_id text NOT NULL,
  person text NOT NULL,
  at timestamptz NOT NULL,
  message_id uuid,
  PRIMARY KEY (portfolio_id, person)
) WITH (fillfactor = 70);
-- USED, NEXT_LEAVES and FORGET (tier-budget.sql.ts): the window of a portfolio.
CREATE INDEX tier_conversations_by_age ON tier_conversations (portfolio_id, at);
-- GIVE_BACK (tier-budget.sql.ts): the room of a refused message.
CREATE INDEX tier_conversations_by_message ON tier_conversations (message_id) WHERE message_id IS NOT NULL;
`;
