import { All, type CanActivate, Controller, Injectable, Module, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { RequireKey } from './access.decorators';
import { RouteNotFoundError } from './http.errors';

/** A guard, because it answers before any body is read: 404 for whatever comes to it. */
@Injectable()
export class NoSuchRoute implements CanActivate {
  canActivate(): never {
    throw new RouteNotFoundError();
  }
}

/** Below the API's prefix, what nothing serves is told only to callers with a key, and counts for their plan. */
@Controller()
@RequireKey()
@ApiExcludeController()
export class UnknownApiRoutesController {
  @All('*path')
  @UseGuards(NoSuchRoute)
  unknown(): void {
    // The guard has answered.
  }
}

/** To be imported after all modules that have routes: it takes every path that is left. */
@Module({ controllers: [UnknownApiRoutesController] })
export class UnknownApiRoutesModule {}
