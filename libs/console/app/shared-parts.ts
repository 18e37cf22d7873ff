/** What the overview and other screens share: one file for the browser. */
import '../screens/job/job-reason';
import '../ui/badge';
import '../ui/charts/bars';
import '../ui/panel';
import '../ui/phone-number';
import '../ui/progress-bar';
import '../ui/segments';
import '../ui/stat';
import '../ui/table';
import '../ui/time';
import '../ui/use-debounced';
import './job-title';
import './recent-jobs';
import './state-badge';
import './states';
import './url-filters';
import './valid-recipients';
