import { Module } from '@nestjs/common';
import { RecipientFilesModule } from '../recipient-files/recipient-files.module';
import { AccountPhoneBook } from './adapters/account-phone-book';
import { AccountContacts } from './adapters/account-contacts';
import { ContactImportsController } from './adapters/contact-imports.controller';
import { ContactsController } from './adapters/contacts.controller';
import { ErasureSweep } from './adapters/erasure-sweep';
import { GroupsController } from './adapters/groups.controller';
import { OptOutImportsController } from './adapters/opt-out-imports.controller';
import { OptOutKeywordsController } from './adapters/opt-out-keywords.controller';
import { OptOutsController } from './adapters/opt-outs.controller';
import { PostgresContactStore } from './adapters/postgres-contact-store';
import { PostgresErasureStore } from './adapters/postgres-erasure-store';
import { PostgresGroupStore } from './adapters/postgres-group-store';
import { PostgresKnownNumberStore } from './adapters/postgres-known-number-store';
import { PostgresOptOutKeywordsStore } from './adapters/postgres-opt-out-keywords-store';
import { PostgresOptOutStore } from './adapters/postgres-opt-out-store';
import { ContactImportsService } from './domain/contact-imports.service';
import { ContactQuota } from './domain/contact-quota';
import { ContactStore } from './domain/contact-store.port';
import { ContactsService } from './domain/contacts.service';
import { ErasureStore } from './domain/erasure-store.port';
import { GroupStore } from './domain/group-store.port';
import { GroupsService } from './domain/groups.service';
import { KnownNumberStore } from './domain/known-number-store.port';
import { KnownNumbers } from './domain/known-numbers';
import { OptOutKeywordsStore } from './domain/opt-out-keywords-store.port';
import { OptOutStore } from './domain/opt-out-store.port';
import { OptOutImportsService } from './domain/opt-out-imports.service';
import { OptOutsService } from './domain/opt-outs.service';
import { PhoneFilters } from './domain/phone-filters';
import { PersonErasure } from './domain/person-erasure';
import { PhoneBook } from './domain/phone-book.port';

/** Contacts, contact groups and opt-outs. */
@Module({
  imports: [RecipientFilesModule],
  controllers: [
    GroupsController,
    ContactsController,
    ContactImportsController,
    OptOutsController,
    OptOutImportsController,
    OptOutKeywordsController,
  ],
  providers: [
    GroupsService,
    ContactsService,
    ContactImportsService,
    AccountContacts,
    ContactQuota,
    PersonErasure,
    ErasureSweep,
    OptOutsService,
    OptOutImportsService,
    KnownNumbers,
    PhoneFilters,
    { provide: GroupStore, useClass: PostgresGroupStore },
    { provide: ErasureStore, useClass: PostgresErasureStore },
    { provide: ContactStore, useClass: PostgresContactStore },
    { provide: KnownNumberStore, useClass: PostgresKnownNumberStore },
    { provide: OptOutStore, useClass: PostgresOptOutStore },
    { provide: OptOutKeywordsStore, useClass: PostgresOptOutKeywordsStore },
    { provide: PhoneBook, useClass: AccountPhoneBook },
  ],
  exports: [ContactsService, PhoneFilters, PersonErasure, GroupsService, OptOutsService, KnownNumbers],
})
export class GroupsModule {}
