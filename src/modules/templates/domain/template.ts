import type { TemplateComponents } from './template-components';

/** What a template may be used for, by the platform's rules and prices. */
export const TEMPLATE_CATEGORIES = ['Marketing', 'Utility', 'Authentication'] as const;
/** See TEMPLATE_CATEGORIES. */
export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number];

/** Where a template stands; only an approved one can be sent. */
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

/** How recipients took a template lately, as the platform rates it. */
export const QUALITY_RATINGS = ['Green', 'Yellow', 'Red', 'Unknown'] as const;
/** See QUALITY_RATINGS. */
export type QualityRating = (typeof QUALITY_RATINGS)[number];

/** A template as the platform holds it: identified by name and language within one business account. */
export interface PlatformTemplate {
  platformTemplateId: string | null;
  name: string;
  languageCode: string;
  category: TemplateCategory;
  status: TemplateStatus;
  qualityRating: QualityRating | null;
  /** The platform's word for why it was rejected, such as `INVALID_FORMAT`. */
  rejectionReason: string | null;
  components: TemplateComponents;
}

/** A template of an account; `revisionId` names its contents at this time, which are never changed in place. */
export interface Template extends PlatformTemplate {
  id: string;
  accountId: string;
  revisionId: string;
  /** Time up to which the platform's reports are known: an older one says nothing new of the status. */
  statusAt: Date;
  createdAt: Date;
  updatedAt: Date;
  lastSyncedAt: Date | null;
}

/** Which templates of an account are wanted; `search` is looked for in name and body, whatever its case. */
export interface TemplateFilter {
  status?: TemplateStatus;
  languageCode?: string;
  category?: TemplateCategory;
  search?: string;
}
