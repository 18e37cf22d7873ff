import ConversationsScreen from '../../screens/conversations/conversations-screen';
import MessagesScreen from '../../screens/messages/messages-screen';
import MessageScreen from '../../screens/messages/message-screen';

/** The screens that are loaded together with any of these. */
export default {
  conversations: ConversationsScreen,
  messages: MessagesScreen,
  message: MessageScreen,
};
