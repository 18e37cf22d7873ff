import SendersScreen from '../../screens/senders/senders-screen';
import KeysScreen from '../../screens/keys/keys-screen';
import WebhooksScreen from '../../screens/webhooks/webhooks-screen';
import EndpointScreen from '../../screens/webhooks/endpoint-screen';
import AuditScreen from '../../screens/audit/audit-screen';
import AccountsScreen from '../../screens/accounts/accounts-screen';
import AccountScreen from '../../screens/accounts/account-screen';
import ComponentsScreen from '../../screens/components/components-screen';

/** The screens that are loaded together with any of these. */
export default {
  senders: SendersScreen,
  keys: KeysScreen,
  webhooks: WebhooksScreen,
  endpoint: EndpointScreen,
  audit: AuditScreen,
  accounts: AccountsScreen,
  account: AccountScreen,
  components: ComponentsScreen,
};
