import type { TemplateComponents } from './template-components';

/** Categories of templates, on which the platform's rules and prices depend. */
export const TEMPLATE_CATEGORIES = ['Marketing', 'Utility', 'Authentication'] as const;
/** See TEMPLATE_CATEGORIES. */
export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number];

/** Statuses of a template; only an Approved one can be sent. */
export const TEMPLATE_STATUSES = [
  'Draft',
  'Pending',
  'Approved',
  'Rejected',
  'Paused',
  'Disabled',
  'Archived',
  'Deleted',
] as const;
/** See TEMPLATE_STATUSES. */
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number];

/** The platform's ratings of recent feedback from recipients. */
export const QUALITY_RATINGS = ['Green', 'Yellow', 'Red', 'Unknown'] as const;
/** See QUALITY_RATINGS. */
export type QualityRating = (typeof QUALITY_RATINGS)[number];

/** A template on the platform, identified by name and language within a business account. */
export interface PlatformTemplate {
  platformTemplateId: string | null;
  name: string;
  languageCode: string;
  category: TemplateCategory;
  status: TemplateStatus;
  qualityRating: QualityRating | null;
  /** The platform's code for the reason of a rejection, such as `INVALID_FORMAT`. */
  rejectionReason: string | null;
  components: TemplateComponents;
}

/** A template of an account; `revisionId` identifies its current contents, which are immutable. */
export interface Template extends PlatformTemplate {
  id: string;
  accountId: string;
  revisionId: string;
  /** Time of the latest known status: older reports are outdated. */
  statusAt: Date;
  createdAt: Date;
  updatedAt: Date;
  lastSyncedAt: Date | null;
}

/** A filter of templates; `search` matches name and body, ignoring case. */
export interface TemplateFilter {
  status?: TemplateStatus;
  languageCode?: string;
  category?: TemplateCategory;
  search?: string;
}
