import { Injectable } from '@nestjs/common';
import type { CreationClaim } from '../../../kernel/creation-claim';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import type { HeaderMedia, SendableTemplate } from '../../templates/domain/sendable-template';
import { TemplatesService } from '../../templates/domain/templates.service';
import type { BulkJob } from './bulk-job';
import type { JobDraft } from './job-intake-store.port';

/** The common part of all requests that create a job. */
export interface JobRequest {
  /** Gives the job its id; sealed in the transaction that makes the job visible. */
  claim: CreationClaim;
  accountId: string;
  templateName: string;
  languageCode: string;
  headerMedia: HeaderMedia | null;
  reference: string | null;
  /** Seconds after which sending ends; null: no limit. */
  validForSeconds: number | null;
  /** Aborted when the client disconnects: nothing is created then. */
  signal: AbortSignal;
}

/** A created job, with warnings about its recipients. */
export interface CreatedJob {
  job: BulkJob;
  warnings: string[];
}

/** The sender and the sendable template of a request. */
export interface JobSource {
  sender: Sender;
  template: SendableTemplate;
  draft: JobDraft;
}

/** Checks a request before recipients are read. */
@Injectable()
export class JobSources {
  constructor(
    private readonly senders: SendersService,
    private readonly templates: TemplatesService,
  ) {}

  /** The sender and the template of the request; rejects with their errors, also if the header media does not match. */
  async of(
    request: JobRequest,
    origin: Pick<JobDraft, 'kind' | 'fileName' | 'groupId' | 'retryOf'>,
  ): Promise<JobSource> {
    const sender = await this.senders.ofAccount(request.accountId);
    const template = await this.templates.sendable(request.accountId, request.templateName, request.languageCode);
    template.checkHeaderMedia(request.headerMedia);
    const draft: JobDraft = {
      ...origin,
      id: request.claim.resourceId,
      accountId: request.accountId,
      senderId: sender.id,
      templateName: request.templateName,
      languageCode: request.languageCode,
      revisionId: template.revisionId,
      headerMedia: request.headerMedia,
      reference: request.reference,
      validForSeconds: request.validForSeconds,
    };
    return { sender, template, draft };
  }
}
