import { Injectable } from '@nestjs/common';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import type { HeaderMedia, SendableTemplate } from '../../templates/domain/sendable-template';
import { TemplatesService } from '../../templates/domain/templates.service';
import type { BulkJob } from './bulk-job';
import type { JobDraft } from './job-intake-store.port';

/** What every request for a job says, wherever its recipients come from. */
export interface JobRequest {
  /** The id that the job will get. */
  jobId: string;
  accountId: string;
  templateName: string;
  languageCode: string;
  headerMedia: HeaderMedia | null;
  reference: string | null;
  /** Seconds after which it is not sent any more; null: as long as it takes. */
  validForSeconds: number | null;
  /** Aborted when the client went away: then nothing is created. */
  signal: AbortSignal;
}

/** A job that was created, and what the client should know about its recipients. */
export interface CreatedJob {
  job: BulkJob;
  warnings: string[];
}

/** Sender and template of a request, found fit for it. */
export interface JobSource {
  sender: Sender;
  template: SendableTemplate;
  draft: JobDraft;
}

/** Checks what can be checked before a single recipient is read. */
@Injectable()
export class JobSources {
  constructor(
    private readonly senders: SendersService,
    private readonly templates: TemplatesService,
  ) {}

  /** Sender and template for the request; rejects with their errors, also when the header media does not fit. */
  async of(
    request: JobRequest,
    origin: Pick<JobDraft, 'kind' | 'fileName' | 'groupId' | 'retryOf'>,
  ): Promise<JobSource> {
    const sender = await this.senders.ofAccount(request.accountId);
    const template = await this.templates.sendable(request.accountId, request.templateName, request.languageCode);
    template.checkHeaderMedia(request.headerMedia);
    const draft: JobDraft = {
      ...origin,
      id: request.jobId,
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
