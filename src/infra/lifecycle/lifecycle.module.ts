import { Module } from '@nestjs/common';
import { Shutdown } from './shutdown';

/** Provides the shutdown state of the process. */
@Module({ providers: [Shutdown], exports: [Shutdown] })
export class LifecycleModule {}
