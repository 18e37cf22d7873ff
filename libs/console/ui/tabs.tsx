import { Tabs as Parts } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

/** One tab; its value is stored in the URL. */
export interface Tab {
  value: string;
  label: ReactNode;
  content: ReactNode;
}

/** Tabbed content. */
export function Tabs({
  value,
  onChange,
  tabs,
  label,
}: {
  value: string;
  onChange: (value: string) => void;
  tabs: readonly Tab[];
  label: string;
}) {
  return (
    <Parts.Root value={value} onValueChange={(next: string) => onChange(next)}>
      <Parts.List className="tabs" aria-label={label}>
        {tabs.map((tab) => (
          <Parts.Tab key={tab.value} value={tab.value} className="tab">
            {tab.label}
          </Parts.Tab>
        ))}
      </Parts.List>
      {tabs.map((tab) => (
        <Parts.Panel key={tab.value} value={tab.value} className="tab-panel">
          {tab.content}
        </Parts.Panel>
      ))}
    </Parts.Root>
  );
}
