import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CloudApiClient } from '../../../infra/cloud-api/cloud-api-client';
import type { CloudApiReply } from '../../../infra/cloud-api/cloud-api-reply';
import { type Sender, tokenProblem } from '../../accounts/domain/sender';
import type { PlatformTemplate } from '../domain/template';
import {
  type DirectoryPage,
  DirectoryRefusedError,
  DirectoryUnavailableError,
  TemplateDirectory,
} from '../domain/template-directory.port';
import { isFailure, readTemplate, TEMPLATE_FIELDS } from './template-wire';
import { parsedUrl } from '../../../kernel/parsed-url';

const PAGE_SIZE = 100;
/** Far above the platform's limit of templates: a longer list must be an endless loop. */
const MAX_PAGES = 1000;
const BAD_CURSOR = 131059;

const pageSchema = z.object({
  data: z.array(z.unknown()),
  paging: z
    .object({
      cursors: z.object({ after: z.string().nullish() }).nullish(),
      next: z.string().nullish(),
    })
    .nullish(),
});

/** Reads the list over the platform's HTTP API, following its cursors while there is a `paging.next`. */
@Injectable()
export class CloudApiTemplateDirectory extends TemplateDirectory {
  constructor(private readonly client: CloudApiClient) {
    super();
  }

  async *pages(sender: Sender): AsyncGenerator<DirectoryPage> {
    let after: string | null = null;
    let restarts = 0;
    for (let page = 1; page <= MAX_PAGES; page++) {
      const reply = await this.page(sender, after);
      if (after !== null && restarts === 0 && reply.kind === 'refusal' && reply.error.code === BAD_CURSOR) {
        // The list changed and the cursor became invalid: read it again from the start.
        after = null;
        restarts++;
        continue;
      }
      const { data, next } = contentOf(reply, page);
      const entries = data.map(readTemplate);
      yield {
        templates: entries.filter((entry): entry is PlatformTemplate => !isFailure(entry)),
        unreadable: entries.filter(isFailure),
      };
      if (next === null) return;
      if (next === after) break;
      after = next;
    }
    throw new DirectoryUnavailableError("The platform's list of templates does not end.");
  }

  private page(sender: Sender, after: string | null): Promise<CloudApiReply> {
    return this.client.call({
      method: 'GET',
      path: `/${encodeURIComponent(sender.businessAccountId)}/message_templates`,
      access: sender,
      query: { fields: TEMPLATE_FIELDS, limit: String(PAGE_SIZE), ...(after === null ? {} : { after }) },
    });
  }
}

function contentOf(reply: CloudApiReply, page: number): { data: unknown[]; next: string | null } {
  const where = `Page ${page} of the platform's list could not be read`;
  switch (reply.kind) {
    case 'refusal': {
      const { problem, message, code } = reply.error;
      const refused = tokenProblem(problem, message);
      const reason = `${where}: ${message} (code ${code})`;
      throw refused ? new DirectoryRefusedError(reason, refused, code) : new DirectoryUnavailableError(reason);
    }
    case 'not_sent':
    case 'no_answer':
      throw new DirectoryUnavailableError(`${where}: ${reply.reason}`);
    case 'answer': {
      const parsed = pageSchema.safeParse(reply.body);
      if (!parsed.success) throw new DirectoryUnavailableError(`${where}: the response has an unexpected format`);
      const { data, paging } = parsed.data;
      if (!paging?.next) return { data, next: null };
      const next = paging.cursors?.after ?? cursorIn(paging.next);
      if (next === null) throw new DirectoryUnavailableError(`${where}: there is a next page, but no cursor for it`);
      return { data, next };
    }
  }
}

function cursorIn(link: string): string | null {
  return parsedUrl(link)?.searchParams.get('after') ?? null;
}
