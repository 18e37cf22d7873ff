import { Module } from '@nestjs/common';
import { Shutdown } from './shutdown';

/** Lets every module know that the process is coming to its end. */
@Module({ providers: [Shutdown], exports: [Shutdown] })
export class LifecycleModule {}
