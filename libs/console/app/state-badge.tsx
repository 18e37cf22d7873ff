import { Badge, toneOf } from '../ui/badge';
import { type State, STATE_WORDS } from './states';

/** The state of a job, a recipient or a message. */
export function StateBadge({ state }: { state: State }) {
  return <Badge tone={toneOf(state)}>{STATE_WORDS[state]}</Badge>;
}
