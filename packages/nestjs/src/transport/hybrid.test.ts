import 'reflect-metadata'
import type { NestInterceptor } from '@nestjs/common'
import type { ModulesContainer } from '@nestjs/core'
import { expect, it } from 'vitest'
import { catchLog } from '../../test/log.ts'
import { warnOfUnusedInterceptor } from './hybrid.ts'

const printed = catchLog()

class Messages {
  handle() {}
}
Reflect.defineMetadata('microservices:pattern', ['sum'], Messages.prototype.handle)

interface Server {
  getHandlers(): ReadonlyMap<string, unknown>
}

/** An application whose one controller of messages lives as long as it, or as a request. */
function application(isStatic: boolean) {
  const servers: ((server: Server) => void)[] = []
  const controllers = new Map([['messages', { isDependencyTreeStatic: () => isStatic, metatype: Messages }]])
  const modules = {
    values: () => [{ controllers }],
    getRpcTargetRegistry: () => ({ subscribe: (seen: (server: Server) => void) => servers.push(seen) }),
  } as unknown as ModulesContainer
  const interceptor = warnOfUnusedInterceptor(modules, { intercept: () => {} } as unknown as NestInterceptor)
  return { interceptor, connect: () => servers[0]?.({ getHandlers: () => new Map([['sum', {}]]) }) }
}

it.each([
  ['is warned about if its handlers do not have the interceptor', true, false, 1],
  ['is not warned about if they have it', true, true, 0],
  ['is not warned about if they ask for interceptors with each message', false, false, 0],
])('a connected microservice %s', async (_, isStatic, inherits, lines) => {
  const { interceptor, connect } = application(isStatic)
  connect()
  if (inherits) void interceptor.intercept
  await Promise.resolve()
  expect(printed().filter((line) => line.includes('inheritAppConfig: true'))).toHaveLength(lines)
})
