import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PersonErasure } from '../../groups/domain/person-erasure.service';
import { ConversationErasure } from '../domain/conversation-erasure.service';

/** Has conversations erased with the person, from before the first request comes in. */
@Injectable()
export class ConversationErasureSubscription implements OnModuleInit {
  constructor(
    private readonly people: PersonErasure,
    private readonly conversations: ConversationErasure,
  ) {}

  onModuleInit(): void {
    this.people.onErase('conversations', (person) => this.conversations.eraseSome(person));
  }
}
