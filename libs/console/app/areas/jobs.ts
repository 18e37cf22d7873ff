import JobsScreen from '../../screens/jobs/jobs-screen';
import JobScreen from '../../screens/job/job-screen';
import RecipientsScreen from '../../screens/job/recipients-screen';
import FailuresScreen from '../../screens/job/failures-screen';

/** The screens that are loaded together with any of these. */
export default {
  jobs: JobsScreen,
  job: JobScreen,
  recipients: RecipientsScreen,
  failures: FailuresScreen,
};
