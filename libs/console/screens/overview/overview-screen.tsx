import { PageHeader } from '../../ui/page-header';

/** Is anything wrong now. */
export default function OverviewScreen() {
  return <PageHeader title="Overview" />;
}
