import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { lastValueFrom, of } from 'rxjs';
import { FileUploadInterceptor, UploadLimit, type UploadRequest } from './file-upload.decorator';
import { UploadDirectory } from './upload-directory';

const HEAD = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
const END = '\r\n--x--\r\n';

describe('An upload of an account with room for 100,000 bytes', () => {
  const directory = new UploadDirectory();
  let server: Server;

  beforeAll(async () => {
    await directory.onModuleInit();
    const limit = new UploadLimit(100_000, { perAccount: 9, bytesPerAccount: 100_000, bytes: 500_000 });
    const interceptor = new FileUploadInterceptor(directory, limit);
    server = createServer((request, response) => {
      const caller = { accountId: 'A' };
      const http = {
        getRequest: () => Object.assign(request, { caller }) as unknown as UploadRequest,
        getResponse: () => response,
      };
      const context = { switchToHttp: () => http } as unknown as ExecutionContext;
      const next: CallHandler = { handle: () => of('stored') };
      lastValueFrom(interceptor.intercept(context, next)).then(
        (answer) => response.end(answer),
        (error: Error) => response.end(error.name),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await directory.onApplicationShutdown();
  });

  /** Starts to upload a file of this size. */
  function begin(size: number) {
    const { port } = server.address() as AddressInfo;
    const headers = {
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': HEAD.length + size + END.length,
    };
    const sending = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers });
    sending.on('error', () => undefined);
    sending.write(HEAD);
    const answer = once(sending, 'response').then(([response]) => text(response as IncomingMessage));
    answer.catch(() => undefined);
    return { sending, answer };
  }

  function send(size: number): Promise<string> {
    const { sending, answer } = begin(size);
    sending.end('0'.repeat(size) + END);
    return answer;
  }

  it('is refused at its start or midway once the received bytes exceed them', async () => {
    const first = begin(80_000);
    const second = begin(80_000);
    expect(await send(90_000)).toBe('stored');
    first.sending.write(Buffer.alloc(79_000));
    while ((await send(25_000)) === 'stored');
    second.sending.end('0'.repeat(80_000) + END);
    expect(await second.answer).toBe('UploadsBusyError');
    first.sending.destroy();
    while ((await send(90_000)) !== 'stored');
  });
});
