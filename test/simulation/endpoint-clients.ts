import { EndpointsInMemory } from '../fakes/webhooks-in-memory';
import type { Plan } from './plan';
import type { EndpointAction } from './plan-endpoints';
import { idOf, type World } from './world';

const URL = 'https://example.com/hook';
const SECRET = 'whsec_MQ==';
const MOST = 100;
const ENABLED_AGAIN_MS = 2000;
const REPLAYED_PER_SECOND = 5;

/** What clients do with their webhook endpoints. */
export class EndpointClients {
  private readonly store: EndpointsInMemory | null;

  constructor(
    private readonly world: World,
    private readonly plan: Plan,
  ) {
    const { webhooks } = world.server;
    this.store = webhooks && new EndpointsInMemory(webhooks);
  }

  /** Adds the endpoints and plans what happens to them. */
  begin(): void {
    const { receiver, scheduler } = this.world;
    const { webhooks } = this.world.server;
    if (webhooks) webhooks.upkeepDueAt = webhooks.now() + this.plan.webhookUpkeepAt;
    for (const [index, planned] of this.plan.endpoints.entries()) {
      const id = idOf(6, index);
      const { events, maxEvents, sender } = planned;
      const { accountId } = this.world.senders[sender]!;
      void this.store?.add({ id, accountId, url: URL, events, maxEvents }, SECRET, MOST);
      receiver.add(id, planned);
      for (const { at, action } of planned.actions) scheduler.after(at, () => this.act(id, accountId, action));
    }
  }

  /** Receivers take everything, and clients enable what was disabled. */
  heal(): void {
    this.world.receiver.healed = true;
    const enable = (): void => {
      for (const { id, accountId, status } of this.world.server.webhooks?.endpoints.values() ?? []) {
        if (status === 'Disabled') this.act(id, accountId, 'enable');
      }
      if (this.plan.endpoints.length > 0) this.world.scheduler.after(ENABLED_AGAIN_MS, enable);
    };
    enable();
  }

  /** Whether everything was delivered. */
  isOver(): boolean {
    const { webhooks } = this.world.server;
    return webhooks === null || (webhooks.isDone() && this.world.receiver.underWay === 0);
  }

  private act(id: string, accountId: string, action: EndpointAction): void {
    const { scheduler, server } = this.world;
    const { store } = this;
    const { webhooks } = server;
    if (!store || !webhooks?.endpoints.has(id) || server.away) return;
    this.world.trace(() => `client: ${action} ${id}`);
    switch (action) {
      case 'disable':
        void store.change(accountId, id, { status: 'Disabled' });
        return webhooks.closed(id);
      case 'enable':
        void store.change(accountId, id, { status: 'Enabled' });
        return void webhooks.closedAt.delete(id);
      case 'remove':
        void store.remove(accountId, id);
        return webhooks.closed(id);
      case 'replay':
        return void store.startReplay(id, scheduler.dateAt(0), REPLAYED_PER_SECOND);
    }
  }
}
