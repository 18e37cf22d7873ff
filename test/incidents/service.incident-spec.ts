import { SERVICE_INCIDENTS } from './service-incidents';
import { describeIncidents } from './solved';

describeIncidents(SERVICE_INCIDENTS);
