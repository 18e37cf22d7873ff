import { All, type CanActivate, Controller, Injectable, Module, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { RequireKey } from './access.decorators';
import { RouteNotFoundError } from './http.errors';

/** Answers 404, or 405 by the error filter. It is a guard so that no body is read. */
@Injectable()
export class NoSuchRoute implements CanActivate {
  canActivate(): never {
    throw new RouteNotFoundError();
  }
}

/** Unknown paths below the API prefix: they need a valid key and count against the plan like all others. */
@Controller()
@RequireKey()
@ApiExcludeController()
export class UnknownApiRoutesController {
  @All('*path')
  @UseGuards(NoSuchRoute)
  unknown(): void {
    // The guard has already answered.
  }
}

/** Must be imported after all modules with routes, because it matches every path. */
@Module({ controllers: [UnknownApiRoutesController] })
export class UnknownApiRoutesModule {}
