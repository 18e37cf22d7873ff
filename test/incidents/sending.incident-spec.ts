import { SENDING_INCIDENTS } from './sending-incidents';
import { describeIncidents } from './solved';

describeIncidents(SENDING_INCIDENTS);
