import CampaignScreen from '../../screens/send/campaign-screen';
import GroupSendScreen from '../../screens/send/group-send-screen';
import SingleSendScreen from '../../screens/send/single-send-screen';

/** The screens that are loaded together with any of these. */
export default {
  campaign: CampaignScreen,
  groupSend: GroupSendScreen,
  singleSend: SingleSendScreen,
};
