import { Attention } from './attention';
import { FirstSteps } from './first-steps';
import { RecentJobs } from './recent-jobs';

/** The lists of the overview, and what is in place of them at first, which are loaded together. */
export default { Attention, FirstSteps, RecentJobs };
