import { randomBytes } from 'node:crypto';

interface KnownCode {
  status: number;
  title: string;
}

const KNOWN_CODES: Record<number, KnownCode> = {
  0: { status: 401, title: 'AuthException' },
  1: { status: 400, title: 'API Unknown' },
  2: { status: 503, title: 'API Service' },
  3: { status: 500, title: 'API Method' },
  4: { status: 400, title: 'Application request limit reached' },
  10: { status: 403, title: 'Permission Denied' },
  33: { status: 400, title: 'Parameter value is not valid' },
  100: { status: 400, title: 'Invalid parameter' },
  104: { status: 401, title: 'An access token is required to request this resource.' },
  190: { status: 401, title: 'Access token has expired' },
  200: { status: 403, title: 'API Permission' },
  368: { status: 403, title: 'Temporarily blocked for policies violations' },
  2046: { status: 400, title: 'Invalid status' },
  2047: { status: 400, title: 'Cancellation is not allowed' },
  2200: { status: 400, title: 'Callback verification failed' },
  80007: { status: 400, title: 'Rate limit issues' },
  80008: { status: 400, title: 'There have been too many calls to this WhatsApp Business account' },
  130403: { status: 400, title: 'User is blocked by the business' },
  130429: { status: 400, title: 'Rate limit hit' },
  130472: { status: 400, title: "User's number is part of an experiment" },
  130497: { status: 403, title: 'Business account is restricted from messaging users in this country' },
  131000: { status: 500, title: 'Something went wrong' },
  131005: { status: 403, title: 'Access denied' },
  131008: { status: 400, title: 'Required parameter is missing' },
  131009: { status: 400, title: 'Parameter value is not valid' },
  131016: { status: 500, title: 'Service unavailable' },
  131021: { status: 400, title: 'Recipient cannot be sender' },
  131026: { status: 400, title: 'Message undeliverable' },
  131030: { status: 400, title: 'Recipient phone number not in allowed list' },
  131031: { status: 403, title: 'Account has been locked' },
  131035: { status: 400, title: 'Report not delivered in time' },
  131036: { status: 400, title: 'Message delivered to some devices only' },
  131037: { status: 400, title: 'Display name approval is required' },
  131042: { status: 400, title: 'Business eligibility payment issue' },
  131043: { status: 400, title: 'Message expired' },
  131045: { status: 500, title: 'Incorrect certificate' },
  131047: { status: 400, title: 'Re-engagement message' },
  131048: { status: 400, title: 'Spam rate limit hit' },
  131049: { status: 400, title: 'Meta chose not to deliver' },
  131050: { status: 400, title: 'User has stopped marketing messages from your business' },
  131051: { status: 400, title: 'Unsupported message type' },
  131052: { status: 400, title: 'Media download error' },
  131053: { status: 400, title: 'Media upload error' },
  131055: { status: 400, title: 'Method not allowed' },
  131056: { status: 400, title: 'Business account, consumer account pair rate limit hit' },
  131057: { status: 500, title: 'Account in maintenance mode' },
  131059: { status: 400, title: 'Invalid paging cursor' },
  131061: { status: 400, title: 'Message refused' },
  131062: { status: 400, title: 'Business-scoped user ids are not allowed for this message' },
  131063: { status: 400, title: 'Marketing messages are disabled on this API' },
  131064: { status: 400, title: 'Limited because of template misclassification' },
  132000: { status: 400, title: 'Number of parameters does not match the expected number of params' },
  132001: { status: 404, title: 'Template name does not exist in the translation' },
  132005: { status: 400, title: 'Translated text too long' },
  132007: { status: 400, title: 'Template format character policy violated' },
  132008: { status: 400, title: 'Parameter format does not match format in the created template' },
  132012: { status: 400, title: 'Parameter format does not match format in the created template' },
  132015: { status: 400, title: 'Template is paused' },
  132016: { status: 400, title: 'Template is disabled' },
  132018: { status: 400, title: "There's an issue with the parameters in your template" },
  132021: { status: 400, title: 'Template name is taken' },
  132068: { status: 400, title: 'Flow is blocked' },
  132069: { status: 400, title: 'Flow is throttled' },
  133000: { status: 500, title: 'Incomplete deregistration' },
  133004: { status: 503, title: 'Server temporarily unavailable' },
  133010: { status: 400, title: 'Phone number not registered' },
  134100: { status: 400, title: 'Only marketing messages are supported' },
  134101: { status: 400, title: 'Template is still being synchronised' },
  134102: { status: 500, title: 'Template is unavailable for this API' },
  134103: { status: 400, title: 'Message is unavailable for this API' },
  135000: { status: 400, title: 'Generic user error' },
  139200: { status: 403, title: 'Sending without a template is blocked' },
};

interface GraphErrorDetail {
  details?: string;
  message?: string;
  subcode?: number;
  type?: string;
  userTitle?: string;
  userMessage?: string;
  transient?: boolean;
}

const tracePrefix = `A${randomBytes(8).toString('base64url').replace(/[-_]/g, 'x')}`;
let traceCount = 0;

/** The platform's title of a code; a generic one for unknown codes. */
export function titleOf(code: number): string {
  return KNOWN_CODES[code]?.title ?? 'Unknown error';
}

/** Whether this is a known platform code. */
export function isKnownCode(code: number): boolean {
  return code in KNOWN_CODES;
}

/** A platform error, with the HTTP status of its code and a body in exactly the platform's format. */
export class GraphError extends Error {
  readonly status: number;

  constructor(
    readonly code: number,
    private readonly detail: GraphErrorDetail = {},
  ) {
    super(detail.message ?? `(#${code}) ${titleOf(code)}`);
    this.status = KNOWN_CODES[code]?.status ?? 400;
  }

  /** The JSON body of this error, with a new trace id. */
  toBody(): object {
    const { details, subcode, type, userTitle, userMessage, transient } = this.detail;
    traceCount += 1;
    return {
      error: {
        message: this.message,
        type: type ?? 'OAuthException',
        code: this.code,
        ...(subcode !== undefined && { error_subcode: subcode }),
        ...(transient !== undefined && { is_transient: transient }),
        ...(userTitle !== undefined && { error_user_title: userTitle }),
        ...(userMessage !== undefined && { error_user_msg: userMessage }),
        ...(details !== undefined && { error_data: { messaging_product: 'whatsapp', details } }),
        fbtrace_id: `${tracePrefix}${traceCount.toString(36)}`,
      },
    };
  }
}

/** The platform's error for an id that does not exist or that the token cannot access. */
export function unknownObject(id: string): GraphError {
  return new GraphError(100, {
    message: `(#100) object ${id} is unknown or not visible to this token`,
    subcode: 33,
    type: 'GraphMethodException',
  });
}

/** Code 100: a parameter is missing, has the wrong type, or is out of range. */
export function invalidParameter(message: string): GraphError {
  return new GraphError(100, { message: `(#100) ${message}` });
}
