import type { BusinessAccount, Sender } from '../account/directory';
import { accountView, numberView } from '../account/nodes';
import {
  configureNumber,
  listSubscriptions,
  listAppSubscriptions,
  subscribeAccount,
  subscribeApp,
  unsubscribeAccount,
} from '../account/subscriptions';
import { APP_TOKEN, checkProof, describeToken } from '../account/tokens';
import { SANDBOX_CREDENTIALS } from '../credentials';
import { deleteMedia, describeMedia, downloadMedia, MEDIA_PATH, uploadMedia } from '../media/media-endpoints';
import { Uploads } from '../media/uploads';
import type { MessageEndpoint } from '../messages/message-endpoint';
import type { Sandbox } from '../sandbox-state';
import type { TemplateEndpoints } from '../templates/template-endpoints';
import { fieldsOf, listTemplates } from '../templates/template-list';
import { json, success, type HandlerResult } from './handler-result';
import type { Exchange } from './exchange';
import { GraphError, invalidParameter, unknownObject } from './graph-error';

type PossiblyAsyncResult = HandlerResult | Promise<HandlerResult>;

const NUMERIC_ID = /^\d{5,25}$/;
const NUMBER_EDGES = new Set(['messages', 'marketing_messages', 'media', 'register', 'deregister']);
/** Fields that only phone numbers have. */
const NUMBER_FIELDS = ['throughput', 'quality_rating', 'display_phone_number'];
const ACCOUNT_EDGES = new Set(['message_templates', 'subscribed_apps', 'phone_numbers']);

/** Routes and authorizes platform requests, with or without a version prefix. */
export class PlatformRouter {
  private readonly uploads = new Uploads();

  constructor(
    private readonly sandbox: Sandbox,
    private readonly messages: MessageEndpoint,
    private readonly templates: TemplateEndpoints,
  ) {}

  /** Handles a request to the platform; unknown requests get an error in the platform's format. */
  handle(exchange: Exchange): PossiblyAsyncResult {
    const token = tokenOf(exchange);
    if (token === '')
      throw new GraphError(104, { message: '(#104) An access token is required to request this resource.' });
    const isApp = token === APP_TOKEN;
    if (!isApp && !this.sandbox.directory.isValidToken(token)) {
      throw new GraphError(190, {
        message: 'Error validating access token: the session is no longer valid.',
        subcode: 463,
      });
    }
    const [id = '', edge = ''] = exchange.segments;
    if (id === MEDIA_PATH) return downloadMedia(exchange, this.sandbox.media);
    checkProof(exchange, token, this.sandbox.directory, this.sandbox.config.requireAppSecretProof);
    if (id === 'debug_token') return describeToken(exchange, this.sandbox.directory);
    if (id.startsWith('upload:')) return this.upload(exchange, id);
    if (id === SANDBOX_CREDENTIALS.appId) return this.app(exchange, edge, isApp);
    return this.object(exchange, id, edge, token);
  }

  private object(exchange: Exchange, id: string, edge: string, token: string): PossiblyAsyncResult {
    const { directory, media } = this.sandbox;
    const sender = directory.sender(id) ?? this.newSender(id, edge);
    if (sender !== undefined && directory.canAccess(token, sender.account)) return this.number(exchange, sender, edge);
    const account = directory.account(id) ?? this.newAccount(id, edge);
    if (account !== undefined && directory.canAccess(token, account)) return this.account(exchange, account, edge);
    if (this.isReadOfNewNumber(exchange, id, edge)) {
      return json(this.viewOf(directory.futureSender(id), fieldsOf(exchange)));
    }
    const owned = directory.template(id);
    if (owned !== undefined && directory.canAccess(token, owned.account)) {
      if (edge === 'unpause' && exchange.method === 'POST')
        return this.templates.unpause(owned.account, owned.template);
      if (edge !== '') throw noEdge(edge);
      if (exchange.method === 'GET') return this.templates.read(exchange, owned.template);
      if (exchange.method === 'POST') return this.templates.edit(exchange, owned.account, owned.template);
    }
    const stored = media.get(id);
    if (stored !== undefined && edge === '') {
      if (exchange.method === 'GET') return describeMedia(exchange, stored);
      if (exchange.method === 'DELETE') return deleteMedia(id, media);
    }
    throw unknownObject(id);
  }

  private number(exchange: Exchange, sender: Sender, edge: string): PossiblyAsyncResult {
    switch (`${exchange.method} ${edge}`) {
      case 'POST messages':
        return this.messages.handle(exchange, sender, false);
      case 'POST marketing_messages':
        return this.messages.handle(exchange, sender, true);
      case 'POST media':
        return uploadMedia(exchange, this.sandbox.media);
      case 'POST register':
      case 'POST deregister':
        return success();
      case 'GET ':
        return json(this.viewOf(sender, fieldsOf(exchange)));
      case 'POST ':
        return configureNumber(exchange, sender);
      default:
        throw noEdge(edge);
    }
  }

  private account(exchange: Exchange, account: BusinessAccount, edge: string): PossiblyAsyncResult {
    const fields = fieldsOf(exchange);
    const numbers = this.sandbox.directory.allSenders().filter((sender) => sender.account === account);
    switch (`${exchange.method} ${edge}`) {
      case 'GET message_templates':
        return listTemplates(exchange, account);
      case 'POST message_templates':
        return this.templates.create(exchange, account);
      case 'DELETE message_templates':
        return this.templates.remove(exchange, account);
      case 'GET subscribed_apps':
        return listSubscriptions(account);
      case 'POST subscribed_apps':
        return subscribeAccount(exchange, account);
      case 'DELETE subscribed_apps':
        return unsubscribeAccount(account);
      case 'GET phone_numbers':
        return json({ data: numbers.map((sender) => this.viewOf(sender, fields)) });
      case 'GET ':
        return json(accountView(account, fields, numbers[0]?.messagingLimitTier ?? 'TIER_NOT_SET'));
      default:
        throw noEdge(edge);
    }
  }

  private app(exchange: Exchange, edge: string, isApp: boolean): PossiblyAsyncResult {
    if (edge === 'subscriptions' && !isApp) {
      throw new GraphError(15, { message: '(#15) This method must be called with an app access_token.' });
    }
    switch (`${exchange.method} ${edge}`) {
      case 'POST uploads':
        return this.uploads.open(exchange);
      case 'GET subscriptions':
        return listAppSubscriptions(this.sandbox.directory);
      case 'POST subscriptions':
        return subscribeApp(exchange, this.sandbox.directory);
      default:
        throw noEdge(edge);
    }
  }

  private upload(exchange: Exchange, id: string): HandlerResult {
    return exchange.method === 'POST' ? this.uploads.receive(exchange, id) : this.uploads.state(id);
  }

  private viewOf(sender: Sender, fields: string[]) {
    return numberView(sender, fields, this.sandbox.directory);
  }

  private newSender(id: string, edge: string): Sender | undefined {
    const { directory, config } = this.sandbox;
    const isAllowed = config.autoCreateSenders && NUMERIC_ID.test(id) && NUMBER_EDGES.has(edge);
    if (!isAllowed || directory.account(id) !== undefined) return undefined;
    return directory.register({ phoneNumberId: id, businessAccountId: directory.accountForNewNumber().id });
  }

  /** A read does not register the number: its business account is assigned on first use. */
  private isReadOfNewNumber(exchange: Exchange, id: string, edge: string): boolean {
    const { directory, config } = this.sandbox;
    const isUnknown = directory.sender(id) === undefined && directory.account(id) === undefined;
    const isRead = exchange.method === 'GET' && edge === '' && NUMERIC_ID.test(id);
    return config.autoCreateSenders && isUnknown && isRead && fieldsOf(exchange).some((f) => NUMBER_FIELDS.includes(f));
  }

  private newAccount(id: string, edge: string): BusinessAccount | undefined {
    const { directory, config } = this.sandbox;
    const isAllowed = config.autoCreateSenders && NUMERIC_ID.test(id) && ACCOUNT_EDGES.has(edge);
    return isAllowed && directory.sender(id) === undefined ? directory.addAccount(id) : undefined;
  }
}

function tokenOf(exchange: Exchange): string {
  const header = exchange.header('authorization');
  if (header.startsWith('Bearer ')) return header.slice(7).trim();
  if (header.startsWith('OAuth ')) return header.slice(6).trim();
  return exchange.query.get('access_token') ?? '';
}

function noEdge(edge: string): GraphError {
  return invalidParameter(`Tried accessing nonexisting field (${edge}) or a method it does not have`);
}
