import { useState } from 'react';
import { MessagingError } from '../../../client/errors';
import { useSendOnce } from '../../app/send-once';
import { useUrlFilters } from '../../app/url-filters';
import { Badge } from '../../ui/badge';
import { Button, IconButton } from '../../ui/button';
import { Gauge } from '../../ui/charts/gauge';
import { Combobox } from '../../ui/combobox';
import { ConfirmByTyping, Dialog } from '../../ui/dialog';
import { Input, TextArea } from '../../ui/field';
import { Menu } from '../../ui/menu';
import { PageHeader } from '../../ui/page-header';
import { Pager } from '../../ui/pager';
import { Fact, Facts, Panel } from '../../ui/panel';
import { PhoneNumber } from '../../ui/phone-number';
import { ProgressBar } from '../../ui/progress-bar';
import { Select } from '../../ui/select';
import { Stat, Stats } from '../../ui/stat';
import { Empty, ErrorState, Loading, NoScope, Note } from '../../ui/states';
import { Switch } from '../../ui/switch';
import { Table } from '../../ui/table';
import { Tabs } from '../../ui/tabs';
import { AsOf, Time } from '../../ui/time';
import { showToast } from '../../ui/toast';
import { VirtualList } from '../../ui/virtual-list';
import { Bubbles } from './bubbles';

const LANGUAGES = ['Deutsch', 'English', 'Español', 'Français', 'עברית', 'Português', '中文'].map((label) => ({
  value: label,
  label,
}));
const ROWS = Array.from({ length: 10_000 }, (_, index) => index);
const OPENED = Date.now();
const BROKEN = new MessagingError('internal_error', 'Something went wrong in the service.', {
  body: { requestId: '0199d1b5-0000-7000-8000-000000000000' },
});

/** A gallery of all components for developers; not linked in the navigation. */
export default function ComponentsScreen() {
  const [filters, setFilters] = useUrlFilters({ tab: 'list', language: 'Deutsch', page: '2' });
  const [dialog, setDialog] = useState(false);
  const [ready, setReady] = useState(false);
  const [on, setOn] = useState(true);
  const [chosen, setChosen] = useState<string | null>(null);
  const sendOnce = useSendOnce(() => Promise.resolve(showToast('Done', 'Sent once, however often you click.')));
  return (
    <>
      <PageHeader
        title="Components"
        lead="The building blocks of all screens."
        asOf={<AsOf at={OPENED} live />}
        actions={
          <>
            <Menu
              label="More"
              actions={[{ label: 'Show a toast', icon: 'check', onSelect: () => void sendOnce('menu') }]}
            />
            <Button onClick={() => setDialog(true)}>Open a dialog</Button>
            <Button variant="primary" icon="send" onClick={() => void sendOnce('button')}>
              Run
            </Button>
          </>
        }
      />
      <Stats>
        <Stat label="Sent" value="1,000,000" hint="100%" />
        <Stat label="Failed" value="4" hint="< 0.1%" tone="danger" />
        <Stat label="Nothing" value="0" />
      </Stats>
      <div className="columns">
        <Panel title="Controls" actions={<IconButton icon="retry" label="Again" />}>
          <Input label="Name" hint="Shown to customers." placeholder="Anna" />
          <Input label="Number" error="A number has 7 to 15 digits." value="12" />
          <TextArea label="Text" defaultValue="Rindfleischetikettierungsüberwachung 🎉 שלום" dir="auto" />
          <Select
            label="Language"
            value={filters.language}
            choices={LANGUAGES}
            onChange={(language) => setFilters({ language })}
          />
          <Combobox label="Find a language" value={chosen} choices={LANGUAGES} onChange={setChosen} />
          <Switch label="Hold" hint="Review before sending." checked={on} onChange={setOn} />
          <div className="row">
            <Button busy>Busy</Button>
            <Button disabled>Disabled</Button>
            <Button variant="danger">Delete</Button>
            <Button variant="quiet">Quiet</Button>
          </div>
        </Panel>
        <Panel title="States">
          <div className="row">
            {['Scheduled', 'Processing', 'Paused', 'Completed', 'Failed'].map((state) => (
              <Badge key={state}>{state}</Badge>
            ))}
          </div>
          <ProgressBar
            label="Progress"
            total={100}
            parts={[
              { label: 'sent', value: 60, tone: 'active' },
              { label: 'failed', value: 7, tone: 'danger' },
            ]}
          />
          <Facts>
            <Fact label="Phone">
              <PhoneNumber value="4915112345678" />
            </Fact>
            <Fact label="When">
              <Time at={new Date(OPENED - 200_000).toISOString()} />
            </Fact>
          </Facts>
          <Gauge
            label="Messaging tier"
            value={850}
            max={1000}
            shown="850"
            rows={[
              ['Used', '850'],
              ['Limit', '1,000'],
            ]}
            tone="warning"
          >
            of 1,000 people
          </Gauge>
          <Note>An information.</Note>
          <Note tone="warning">A warning.</Note>
          <Note tone="danger">An error.</Note>
        </Panel>
      </div>
      <Tabs
        label="Lists"
        value={filters.tab}
        onChange={(tab) => setFilters({ tab })}
        tabs={[
          { value: 'list', label: 'Long list', content: <LongList /> },
          {
            value: 'table',
            label: 'Table',
            content: <SmallTable page={Number(filters.page)} onPage={(page) => setFilters({ page: String(page) })} />,
          },
          { value: 'states', label: 'States', content: <States /> },
          { value: 'messages', label: 'Messages', content: <Bubbles /> },
        ]}
      />
      <Dialog
        open={dialog}
        onClose={() => setDialog(false)}
        title="Send to 1,200 people?"
        lead="It will be delivered within a minute."
        footer={
          <>
            <Button onClick={() => setDialog(false)}>Not now</Button>
            <Button variant="primary" disabled={!ready} onClick={() => setDialog(false)}>
              Send
            </Button>
          </>
        }
      >
        <ConfirmByTyping expected="1,200" label="How many?" onReady={setReady} />
      </Dialog>
    </>
  );
}

function LongList() {
  return (
    <Panel title="Ten thousand rows" flush>
      <VirtualList
        label="Numbers"
        rows={ROWS}
        rowHeight={36}
        row={(row) => <span className="components-row">Row {row + 1}</span>}
      />
    </Panel>
  );
}

function SmallTable({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  return (
    <Panel title="A table" flush>
      <Table
        label="Languages"
        rows={LANGUAGES}
        rowKey={({ value }) => value}
        columns={[
          { key: 'name', head: 'Name', cell: ({ label }) => label },
          { key: 'letters', head: 'Letters', align: 'end', cell: ({ label }) => label.length },
        ]}
      />
      <Pager page={page} totalPages={7} totalCount={140} onPage={onPage} />
    </Panel>
  );
}

function States() {
  return (
    <div className="columns">
      <Panel title="Loading">
        <Loading />
      </Panel>
      <Panel title="Empty">
        <Empty title="No jobs yet" hint="A job sends one template to many recipients." icon="jobs">
          <Button variant="primary">New campaign</Button>
        </Empty>
      </Panel>
      <Panel title="Error">
        <ErrorState error={BROKEN} onRetry={() => showToast('Reloaded')} />
      </Panel>
      <Panel title="No scope">
        <NoScope scopes={['jobs:read']} />
      </Panel>
    </div>
  );
}
