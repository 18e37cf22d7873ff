import { Component, type ReactNode } from 'react';
import { Button } from '../ui/button';
import { Empty } from '../ui/states';
import { t } from '../language/translate';

/** Keeps the console usable when a screen throws, or when a new version has replaced the files of this one. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <Empty
        title={t('This page cannot be shown')}
        icon="warning"
        hint={t('The console may have been updated since you opened it. Reload the page.')}
      >
        <Button variant="primary" icon="retry" onClick={() => location.reload()}>
          {t('Reload')}
        </Button>
      </Empty>
    );
  }
}
