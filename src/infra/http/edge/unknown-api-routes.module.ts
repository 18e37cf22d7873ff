import { All, type CanActivate, Controller, Injectable, Module, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { RequireKey } from '../access/access.decorators';
import { RouteNotFoundError } from '../errors/http.errors';

/** Throws the 404, which the error filter may turn into a 405. A guard, so that no body is read. */
@Injectable()
export class NoSuchRoute implements CanActivate {
  canActivate(): never {
    throw new RouteNotFoundError();
  }
}

/** Unknown paths below the API prefix: they require a valid key and count against the plan. */
@Controller()
@RequireKey()
@ApiExcludeController()
export class UnknownApiRoutesController {
  @All('*path')
  @UseGuards(NoSuchRoute)
  unknown(): void {
    // The guard always throws.
  }
}

/** Import it after all modules with routes, since it matches every path. */
@Module({ controllers: [UnknownApiRoutesController] })
export class UnknownApiRoutesModule {}
