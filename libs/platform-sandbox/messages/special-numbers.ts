/** Behaviours that the last four digits of a recipient's number trigger. */
export type SpecialBehaviour =
  | 'no-status'
  | 'undeliverable'
  | 'fails-later'
  | 'throttled-once'
  | 'no-response'
  | 'cut-after-acceptance'
  | 'bad-gateway'
  | 'unknown-failure'
  | 'replies-stop';

const SPECIAL_NUMBERS: Record<string, SpecialBehaviour> = {
  '0001': 'no-status',
  '0002': 'undeliverable',
  '0003': 'fails-later',
  '0004': 'throttled-once',
  '0005': 'no-response',
  '0006': 'cut-after-acceptance',
  '0007': 'bad-gateway',
  '0008': 'unknown-failure',
  '0009': 'replies-stop',
};

/** The special behaviour for a recipient, if any. */
export function specialBehaviourOf(to: string): SpecialBehaviour | undefined {
  return SPECIAL_NUMBERS[to.slice(-4)];
}
