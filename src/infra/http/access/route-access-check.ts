import { Injectable, type OnModuleInit, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { accessOf } from './access.decorators';

/** Stops the service from starting if a route declares no access. */
@Injectable()
export class RouteAccessCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** Throws a list of all routes without @RequireScope, @RequireKey or @Public. */
  onModuleInit(): void {
    const open = this.discovery
      .getControllers()
      .flatMap(({ metatype }) => (isClass(metatype) ? this.undeclaredOf(metatype) : []));
    if (open.length === 0) return;
    throw new Error(
      `These routes declare no access: ${open.join(', ')}. Add @RequireScope(...), @RequireKey() or @Public() to each.`,
    );
  }

  private undeclaredOf(controller: Controller): string[] {
    const prototype = controller.prototype as Record<string, () => void>;
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name];
      if (!handler || !Reflect.hasMetadata(PATH_METADATA, handler)) return [];
      if (accessOf(this.reflector, { getHandler: () => handler, getClass: <T>() => controller as T })) return [];
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number];
      return [`${method} ${controller.name}.${name}`];
    });
  }
}

type Controller = new (...args: never[]) => unknown;

function isClass(metatype: unknown): metatype is Controller {
  return typeof metatype === 'function';
}
