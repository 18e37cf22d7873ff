import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Contexts of Nest's own startup lines, one per module and route. */
const FRAMEWORK = new Set(['InstanceLoader', 'NestApplication', 'NestFactory', 'RouterExplorer', 'RoutesResolver']);

/**
 * Writes the lines of Nest and of every `Logger` to the service log; the last argument is the context. A message may be an object:
 * its `message` is the text, its other fields are added to the line.
 */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }

  /** An argument between message and context is the stack. */
  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  private write(
    given: 'info' | 'error' | 'warn' | 'debug' | 'trace' | 'fatal',
    message: unknown,
    rest: unknown[],
  ): void {
    const texts = rest.filter((part): part is string => typeof part === 'string');
    const context = texts.at(-1);
    const level = given === 'info' && context !== undefined && FRAMEWORK.has(context) ? 'debug' : given;
    const stack = texts.length > 1 ? texts[0] : undefined;
    const error =
      [message, ...rest].find((part) => part instanceof Error) ??
      (stack === undefined ? undefined : asError(message, stack));
    const { text, fields } = partsOf(message);
    const about = { ...(context !== undefined && { context }), ...(error !== undefined && { err: error }) };
    this.logger[level]({ ...fields, ...about }, text);
  }
}

function partsOf(message: unknown): { text: string; fields?: object } {
  if (message instanceof Error) return { text: message.message };
  if (typeof message !== 'object' || message === null || !('message' in message)) return { text: String(message) };
  const { message: text, ...fields } = message;
  return { text: String(text), fields };
}

function asError(message: unknown, stack: string): Error {
  return Object.assign(new Error(String(message)), { stack });
}
