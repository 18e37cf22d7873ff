/** Request bodies that can be sent without changes, once the group exists. */
export const GROUP_SEND_EXAMPLES = {
  withDefaults: {
    summary: 'Default values for contacts without a value',
    value: {
      groupId: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12',
      templateName: 'order_update',
      languageCode: 'en_US',
      parameterDefaults: { '1': 'there', '2': 'A-1000' },
    },
  },
  attributes: {
    summary: 'Values and invoices from names and attributes, to two groups without a third',
    value: {
      groupIds: ['0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12', '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a13'],
      excludeGroupIds: ['0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a14'],
      templateName: 'invoice',
      languageCode: 'en_US',
      values: [{ contactField: 'name', default: 'there' }, { attribute: 'Amount' }],
      fromAttributes: { headerMediaUrl: 'Invoice', reference: 'Customer number' },
    },
  },
  notReached: {
    summary: 'Contacts that an earlier job did not reach',
    value: {
      groupId: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12',
      notReachedBy: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
      templateName: 'order_update',
      languageCode: 'en_US',
      parameterDefaults: { '1': 'there', '2': 'A-1000' },
    },
  },
  inWorkingHours: {
    summary: 'In working hours of Berlin',
    value: {
      groupId: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12',
      templateName: 'order_update',
      languageCode: 'en_US',
      parameterDefaults: { '1': 'there', '2': 'A-1000' },
      sendWindow: { from: '09:00', until: '17:00', timeZone: 'Europe/Berlin', days: [1, 2, 3, 4, 5] },
      hold: true,
    },
  },
  media: {
    summary: 'A template with a media header',
    value: {
      groupId: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12',
      templateName: 'summer_sale',
      languageCode: 'en_US',
      parameterDefaults: { '1': 'there' },
      headerMediaUrl: 'https://files.example.com/summer.png',
      reference: 'summer-sale',
    },
  },
};
