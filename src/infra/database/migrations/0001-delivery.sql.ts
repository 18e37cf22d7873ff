/** Lanes: which process sends for a sender, and what throttles it. */
export const DELIVERY = `
CREATE TABLE sender_lanes (
  sender_id uuid PRIMARY KEY REFERENCES senders (id) ON DELETE CASCADE,
  epoch bigint NOT NULL DEFAULT 0,
  owner text,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  throttled_reason text,
  throttled_until timestamptz
) WITH (fillfactor = 50);
`;
