import type { ArgumentsHost } from '@nestjs/common'

/** Nest's view of a request that has not reached Nest yet; of its later one the class is not public. */
export function httpHost(request: unknown, response: unknown): ArgumentsHost {
  const args = [request, response] as const
  return {
    getArgs: () => args as never,
    getArgByIndex: (index: number) => args[index] as never,
    getType: () => 'http' as never,
    switchToHttp: () => ({
      getRequest: () => request as never,
      getResponse: () => response as never,
      getNext: () => (() => {}) as never,
    }),
    switchToRpc: () => ({ getData: () => undefined as never, getContext: () => undefined as never }),
    switchToWs: () => ({
      getData: () => undefined as never,
      getClient: () => undefined as never,
      getPattern: () => '',
    }),
  }
}
