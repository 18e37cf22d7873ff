import { Module } from '@nestjs/common';
import { RecipientFilesModule } from '../recipient-files/recipient-files.module';
import { AccountPhoneBook } from './adapters/account-phone-book';
import { ContactImportsController } from './adapters/contact-imports.controller';
import { ContactsController } from './adapters/contacts.controller';
import { ErasureSweep } from './adapters/erasure-sweep';
import { GroupsController } from './adapters/groups.controller';
import { OptOutKeywordsController } from './adapters/opt-out-keywords.controller';
import { OptOutsController } from './adapters/opt-outs.controller';
import { PostgresContactStore } from './adapters/postgres-contact-store';
import { PostgresErasureStore } from './adapters/postgres-erasure-store';
import { PostgresGroupStore } from './adapters/postgres-group-store';
import { PostgresOptOutKeywordsStore } from './adapters/postgres-opt-out-keywords-store';
import { PostgresOptOutStore } from './adapters/postgres-opt-out-store';
import { ContactImportsService } from './domain/contact-imports.service';
import { ContactQuota } from './domain/contact-quota.service';
import { ContactStore } from './domain/contact-store.port';
import { ContactsService } from './domain/contacts.service';
import { ErasureStore } from './domain/erasure-store.port';
import { GroupStore } from './domain/group-store.port';
import { GroupsService } from './domain/groups.service';
import { OptOutKeywordsStore } from './domain/opt-out-keywords-store.port';
import { OptOutStore } from './domain/opt-out-store.port';
import { OptOutsService } from './domain/opt-outs.service';
import { PersonErasure } from './domain/person-erasure.service';
import { PhoneBook } from './domain/phone-book.port';

/** Contacts, contact groups and opt-outs. */
@Module({
  imports: [RecipientFilesModule],
  controllers: [
    GroupsController,
    ContactsController,
    ContactImportsController,
    OptOutsController,
    OptOutKeywordsController,
  ],
  providers: [
    GroupsService,
    ContactsService,
    ContactImportsService,
    ContactQuota,
    PersonErasure,
    ErasureSweep,
    OptOutsService,
    { provide: GroupStore, useClass: PostgresGroupStore },
    { provide: ErasureStore, useClass: PostgresErasureStore },
    { provide: ContactStore, useClass: PostgresContactStore },
    { provide: OptOutStore, useClass: PostgresOptOutStore },
    { provide: OptOutKeywordsStore, useClass: PostgresOptOutKeywordsStore },
    { provide: PhoneBook, useClass: AccountPhoneBook },
  ],
  exports: [ContactsService, PersonErasure, GroupsService, OptOutsService],
})
export class GroupsModule {}
