import { Directory } from './account/directory';
import { changedConfig, defaultConfig, type SandboxConfig, type SandboxConfigChange } from './config';
import { MediaStore } from './media/media-store';
import { TemplateIds } from './templates/template-book';
import { TemplateFile } from './templates/template-file';
import { Arrivals } from './traffic/arrivals';
import { SeededRandom } from './traffic/seeded-random';
import { Ledger } from './traffic/ledger';
import { Limits } from './traffic/limits';
import { Webhooks } from './webhooks/webhooks';

/** The state of one sandbox; several sandboxes in one process share nothing. */
export class Sandbox {
  config: SandboxConfig;
  readonly random: SeededRandom;
  readonly directory: Directory;
  readonly ledger: Ledger;
  readonly limits = new Limits();
  readonly arrivals = new Arrivals();
  readonly media = new MediaStore();
  readonly webhooks: Webhooks;

  private readonly templateFile: TemplateFile | undefined;

  constructor(
    private readonly initial: SandboxConfigChange = {},
    templateFile?: string,
  ) {
    this.config = changedConfig(defaultConfig(), initial);
    this.random = new SeededRandom(this.config.seed);
    this.directory = new Directory(new TemplateIds(() => this.config.largeTemplateIds));
    this.ledger = new Ledger(() => this.config.ledgerLimit);
    this.webhooks = new Webhooks(this.directory, this.ledger, this.random, () => this.config);
    for (const sender of initial.senders ?? []) this.directory.register(sender);
    this.templateFile = templateFile === undefined ? undefined : new TemplateFile(templateFile, this.directory);
    this.templateFile?.load();
  }

  /** Stores the templates, if there is a file for them. */
  templatesChanged(): void {
    this.templateFile?.save();
  }

  /** Applies a validated change; a seed restarts the random sequence, senders are registered. */
  change(change: SandboxConfigChange): void {
    this.config = changedConfig(this.config, change);
    if (change.seed !== undefined) this.random.reseed(change.seed);
    for (const sender of change.senders ?? []) this.directory.register(sender);
  }

  /** Resets configuration, ledger, counts, templates and media. Senders, tokens and subscriptions remain. */
  restart(): void {
    this.config = changedConfig(defaultConfig(), this.initial);
    this.random.reseed(this.config.seed);
    this.webhooks.clear();
    this.ledger.clear();
    this.limits.clear();
    this.arrivals.clear();
    this.media.clear();
    this.directory.restart();
    this.templatesChanged();
  }
}
