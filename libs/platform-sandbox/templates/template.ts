import type { JsonObject } from '../http/exchange';
import { shapeOf, type TemplateShape } from './shape';

export const TEMPLATE_STATUSES = [
  'APPROVED',
  'ARCHIVED',
  'DELETED',
  'DISABLED',
  'IN_APPEAL',
  'LIMIT_EXCEEDED',
  'PAUSED',
  'PENDING',
  'PENDING_DELETION',
  'REJECTED',
] as const;

export const TEMPLATE_CATEGORIES = ['AUTHENTICATION', 'MARKETING', 'UTILITY'] as const;
export const QUALITY_SCORES = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const;

export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number];
export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number];
export type QualityScore = (typeof QUALITY_SCORES)[number];

/** The input for a template, from a client or a seed. */
export interface TemplateDraft {
  name: string;
  language: string;
  category: TemplateCategory;
  parameterFormat: 'POSITIONAL' | 'NAMED';
  components: JsonObject[];
  timeToLive?: number;
  subCategory?: string;
}

/** One template in one language of one business account. */
export interface Template extends TemplateDraft {
  id: string;
  /** Creation sequence number; lists are sorted by it in descending order. */
  order: number;
  status: TemplateStatus;
  /** Unix milliseconds; 0 for seeded templates. */
  createdAt: number;
  quality: { score: QualityScore; date: number };
  rejectedReason: string;
  previousCategory?: TemplateCategory;
  correctCategory?: TemplateCategory;
  /** Times (Unix milliseconds) of edits while approved. */
  edits: number[];
  shape: TemplateShape;
}

/** A template as stored in a file; its shape is derived from its components. */
export type StoredTemplate = Omit<Template, 'shape'>;

const READABLE: Record<string, (template: Template) => unknown> = {
  id: (template) => template.id,
  name: (template) => template.name,
  parameter_format: (template) => template.parameterFormat,
  components: (template) => template.components,
  language: (template) => template.language,
  status: (template) => template.status,
  category: (template) => template.category,
  sub_category: (template) => template.subCategory,
  quality_score: (template) => template.quality,
  rejected_reason: (template) => template.rejectedReason,
  source: () => undefined,
  previous_category: (template) => template.previousCategory,
  correct_category: (template) => template.correctCategory,
  message_send_ttl_seconds: (template) => template.timeToLive,
  cta_url_link_tracking_opted_out: () => false,
  library_template_name: () => undefined,
  health_status: (template) => ({
    can_send_message: template.status === 'APPROVED' ? 'AVAILABLE' : 'BLOCKED',
    entities: [{ entity_type: 'MESSAGE_TEMPLATE', id: template.id }],
  }),
};

const DEFAULT_FIELDS = ['name', 'parameter_format', 'components', 'language', 'status', 'category', 'sub_category'];

/** The first unknown field; undefined if there is none. */
export function unknownTemplateField(fields: string[]): string | undefined {
  return fields.find((field) => !(field in READABLE));
}

/** A template in the platform's format: the requested or default fields, and always the id. */
export function templateView(template: Template, fields: string[]): JsonObject {
  const selected = fields.length > 0 ? fields : DEFAULT_FIELDS;
  return Object.fromEntries(
    [...selected.filter((field) => field !== 'id'), 'id'].map((f) => [f, READABLE[f]?.(template)]),
  );
}

/** Creates a template. */
export function newTemplate(draft: TemplateDraft, id: string, order: number, status: TemplateStatus): Template {
  return {
    ...draft,
    id,
    order,
    status,
    createdAt: Date.now(),
    quality: { score: 'UNKNOWN', date: Math.floor(Date.now() / 1000) },
    rejectedReason: 'NONE',
    edits: [],
    shape: shapeOf(draft.components, draft.category, draft.subCategory),
  };
}
