import type { MessageContent } from './message-content';

/** The answers of a form, with its `flow_token` if the platform gives one. */
export type FlowResponse = Record<string, unknown>;

/** A bound on the depth: deeper JSON cannot be written again. Forms have a few levels. */
const MAX_BRACKETS = 1000;

/** The answers of a form; null if the message has none, or none that are a JSON object. */
export function flowResponseOf({ choice }: MessageContent): FlowResponse | null {
  const form = choice?.form ?? '';
  if (!form.trimStart().startsWith('{') || form.split(/[[{]/).length > MAX_BRACKETS) return null;
  try {
    return JSON.parse(form) as FlowResponse;
  } catch {
    return null;
  }
}
