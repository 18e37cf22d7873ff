import { Directory } from './account/directory';
import { changedConfig, defaultConfig, type SandboxConfig, type SandboxConfigChange } from './config';
import { MediaStore } from './media/media-store';
import { TemplateIds } from './templates/template-book';
import { Arrivals } from './traffic/arrivals';
import { Dice } from './traffic/dice';
import { Ledger } from './traffic/ledger';
import { Limits } from './traffic/limits';
import { Webhooks } from './webhooks/webhooks';

/** The state of one sandbox; several sandboxes in one process share nothing. */
export class Sandbox {
  config: SandboxConfig;
  readonly dice: Dice;
  readonly directory: Directory;
  readonly ledger: Ledger;
  readonly limits = new Limits();
  readonly arrivals = new Arrivals();
  readonly media = new MediaStore();
  readonly webhooks: Webhooks;

  constructor(private readonly initial: SandboxConfigChange = {}) {
    this.config = changedConfig(defaultConfig(), initial);
    this.dice = new Dice(this.config.seed);
    this.directory = new Directory(new TemplateIds(() => this.config.largeTemplateIds));
    this.ledger = new Ledger(() => this.config.ledgerLimit);
    this.webhooks = new Webhooks(this.directory, this.ledger, this.dice, () => this.config);
    for (const sender of initial.senders ?? []) this.directory.register(sender);
  }

  /** Applies a validated change; a seed restarts the random sequence, senders are registered. */
  change(change: SandboxConfigChange): void {
    this.config = changedConfig(this.config, change);
    if (change.seed !== undefined) this.dice.reseed(change.seed);
    for (const sender of change.senders ?? []) this.directory.register(sender);
  }

  /** Resets configuration, ledger, counts, templates and media. Senders, tokens and subscriptions remain. */
  restart(): void {
    this.config = changedConfig(defaultConfig(), this.initial);
    this.dice.reseed(this.config.seed);
    this.webhooks.clear();
    this.ledger.clear();
    this.limits.clear();
    this.arrivals.clear();
    this.media.clear();
    this.directory.restart();
  }
}
