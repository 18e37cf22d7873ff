/** The path parameter of a job, for the OpenAPI document. */
export const JOB_ID = {
  name: 'jobId',
  description: 'Id of a job of your account.',
  format: 'uuid',
  example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
};
