/** Documentation of a template id in a path. */
export const TEMPLATE_ID = {
  name: 'templateId',
  description: 'Id of a template of your account.',
  format: 'uuid',
  example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
};
