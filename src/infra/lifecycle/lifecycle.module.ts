import { Module } from '@nestjs/common';
import { Shutdown } from './shutdown';

/** Lets every module know that the process is stopping. */
@Module({ providers: [Shutdown], exports: [Shutdown] })
export class LifecycleModule {}
