import ContactsScreen from '../../screens/contacts/contacts-screen';
import ContactScreen from '../../screens/contacts/contact-screen';
import GroupsScreen from '../../screens/groups/groups-screen';
import GroupScreen from '../../screens/groups/group-screen';
import OptOutsScreen from '../../screens/opt-outs/opt-outs-screen';

/** The screens that are loaded together with any of these. */
export default {
  contacts: ContactsScreen,
  contact: ContactScreen,
  groups: GroupsScreen,
  group: GroupScreen,
  optOuts: OptOutsScreen,
};
