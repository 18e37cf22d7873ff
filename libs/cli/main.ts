#!/usr/bin/env node
import { runCommand } from './run';

void runCommand(process.argv).then((code) => {
  process.exitCode = code;
});
