import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PersonErasure } from '../../groups/domain/person-erasure.service';
import { JobErasure } from '../domain/job-erasure.service';

/** Has people erased from jobs too, from before the first request comes in. */
@Injectable()
export class JobErasureSubscription implements OnModuleInit {
  constructor(
    private readonly people: PersonErasure,
    private readonly jobs: JobErasure,
  ) {}

  onModuleInit(): void {
    this.people.onErase('job recipients', (person, position) => this.jobs.step(person, position));
  }
}
