/** Special behaviours, selected by the last four digits of the recipient's number. */
export type Ending =
  | 'no-status'
  | 'undeliverable'
  | 'fails-later'
  | 'throttled-once'
  | 'never-answered'
  | 'cut-after-acceptance'
  | 'bad-gateway'
  | 'unknown-failure'
  | 'answers-stop';

const ENDINGS: Record<string, Ending> = {
  '0001': 'no-status',
  '0002': 'undeliverable',
  '0003': 'fails-later',
  '0004': 'throttled-once',
  '0005': 'never-answered',
  '0006': 'cut-after-acceptance',
  '0007': 'bad-gateway',
  '0008': 'unknown-failure',
  '0009': 'answers-stop',
};

/** The special behaviour of a recipient's number, if any. */
export function endingOf(to: string): Ending | undefined {
  return ENDINGS[to.slice(-4)];
}
