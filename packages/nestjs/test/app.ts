import 'reflect-metadata'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { INestApplication, ModuleMetadata, NestApplicationOptions } from '@nestjs/common'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { Test, type TestingModuleBuilder } from '@nestjs/testing'
import type { SvcModuleExtras, SvcModuleOptions } from '../src/index.ts'
import { SvcTesting, SvcTestingModule, type SvcTestSpan } from '../src/testing/index.ts'
import { svcLines } from './log.ts'

export const ADAPTERS = ['express', 'fastify'] as const
export type Adapter = (typeof ADAPTERS)[number]

export interface AppOptions extends ModuleMetadata {
  readonly options?: SvcModuleOptions & SvcModuleExtras
  readonly adapter?: Adapter
  readonly nest?: NestApplicationOptions
  readonly overrides?: (builder: TestingModuleBuilder) => TestingModuleBuilder
  readonly before?: (app: INestApplication) => void
}

/** A Nest application that listens, with its spans in memory. */
export async function startApp({ options = {}, adapter = 'express', nest, overrides, before, ...module }: AppOptions) {
  const builder = Test.createTestingModule({
    ...module,
    imports: [SvcTestingModule.forRoot(options), ...(module.imports ?? [])],
  })
  const settings = { logger: svcLines, ...nest }
  // Else Nest's own for tests, which drops warnings.
  if (typeof settings.logger === 'object' && !Array.isArray(settings.logger)) builder.setLogger(settings.logger)
  const compiled = await (overrides?.(builder) ?? builder).compile()
  const app =
    adapter === 'fastify'
      ? compiled.createNestApplication(new FastifyAdapter(), settings)
      : compiled.createNestApplication(settings)
  before?.(app)
  await app.listen(0, '127.0.0.1')
  const { port } = app.getHttpServer().address() as AddressInfo
  const svc = compiled.get(SvcTesting)
  return {
    app,
    svc,
    url: `http://127.0.0.1:${port}`,
    tree: async () => drawn(await svc.spans()),
    /** The span of that name, of which there has to be one. */
    async span(name: string): Promise<SvcTestSpan> {
      const found = (await svc.spans()).filter((each) => each.name === name)
      if (found.length !== 1) throw new Error(`${found.length} spans are called ${name}`)
      return found[0] as SvcTestSpan
    },
    [Symbol.asyncDispose]: () => app.close(),
  }
}

/** Spans as a tree: one line each, two spaces deeper than its parent, with whom it is for; siblings by name. */
export function drawn(unsorted: readonly SvcTestSpan[]): string {
  const spans = [...unsorted].sort((one, other) => one.name.localeCompare(other.name))
  const ids = new Set(spans.map(({ id }) => id))
  const below = (parent: string | undefined, indent: string): string[] =>
    spans
      .filter(({ parentId }) => (parentId !== undefined && ids.has(parentId) ? parentId : undefined) === parent)
      .flatMap(({ id, name, userId, level }) => [
        [indent + name, ...(userId ? [`(${userId})`] : []), ...(level ? [level] : [])].join(' '),
        ...below(id, `${indent}  `),
      ])
  return below(undefined, '').join('\n')
}

/** Asks, and goes away after the first piece of the answer. */
export async function leave(url: string): Promise<void> {
  const request = get(url)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  await once(response, 'data')
  request.destroy()
}
