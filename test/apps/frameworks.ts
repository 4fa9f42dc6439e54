/** A request of a user, where it is not `/users/<user>/<what>`. */
interface Asked {
  readonly path: string
  readonly init?: RequestInit & { readonly headers?: Readonly<Record<string, string>> }
  /** The name of its root, and its status. */
  readonly root: string
  readonly status: number
}

/** A framework, and the server that is made with it. */
export interface Framework {
  readonly name: string
  readonly dependencies: Readonly<Record<string, string>>
  /** The project, by path; beside `model.mjs` in its folder, with `ask` and `streamed`. */
  readonly files: Readonly<Record<string, string>>
  /** What Node runs to build it, if its own router is in a bundle, and to serve it. */
  readonly build?: readonly string[]
  readonly serve: readonly string[]
  /** Before the paths of its requests. Default: nothing */
  readonly base?: string
  /** How the roots of `/users/…/ask`, `stream` and `fail` begin. */
  readonly route?: string
  readonly asked?: (user: string, what: What) => Asked
}

/** A model call, one whose answer is a stream, and an error after a call. */
export type What = 'ask' | 'stream' | 'fail'

/** How a framework is asked. */
export function askedOf({ base = '', route = '', asked }: Framework, user: string, what: What): Asked {
  const status = what === 'fail' ? 500 : 200
  return asked?.(user, what) ?? { path: `${base}/users/${user}/${what}`, root: `GET ${route}/${what}`, status }
}

const TRACING = "import { propagateAttributes, setRoute } from '@svc/tracing'\n"
const ASK = (model: string, more = '') => `import { ask } from '${model}'\n${more}`

/** tRPC, with procedures of each kind. */
const PROCEDURES = `import { initTRPC } from '@trpc/server'
import { propagateAttributes } from '@svc/tracing'
import { ask, streamed } from './model.mjs'
const t = initTRPC.context().create()
const procedure = t.procedure
  .input((input) => input)
  .use(({ ctx, next }) => propagateAttributes({ userId: ctx.user }, () => next()))
async function* textOf(stream) {
  for await (const piece of stream) yield new TextDecoder().decode(piece)
}
export const router = t.router({
  users: {
    ask: procedure.query(({ input }) => ask(input)),
    stream: procedure.query(({ input }) => textOf(streamed(input))),
    fail: procedure.query(async ({ input }) => { throw new Error(await ask(input)) }),
  },
})`
const procedures = (user: string, what: What): Asked => ({
  path: `/trpc/users.${what}?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: user }))}`,
  ...(what === 'stream' && { init: { headers: { 'trpc-accept': 'application/jsonl' } } }),
  root: `GET /trpc/users.${what}`,
  status: what === 'fail' ? 500 : 200,
})

/** GraphQL, with operations of each kind. */
const operations =
  (operationOf: (what: What) => string) =>
  (user: string, what: What): Asked => ({
    path: '/graphql',
    init: {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: what === 'stream' ? 'text/event-stream, application/json' : 'application/json',
      },
      body: JSON.stringify({
        query: `${operationOf(what)}($id: String!) { ${what}(id: $id) }`,
        variables: { id: user },
      }),
    },
    root: 'POST /graphql',
    status: 200,
  })
const RESOLVERS = `import { propagateAttributes } from '@svc/tracing'
import { ask, streamed } from './model.mjs'
const as = (work) => (_, { id }, { user }) => propagateAttributes({ userId: user }, () => work(id))
export const asked = as(ask)
export const failed = as(async (id) => { throw new Error(await ask(id)) })
export const read = as(async (id) => (await Array.fromAsync(streamed(id), (piece) => new TextDecoder().decode(piece))).join(''))
`

export const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'Astro',
    dependencies: { astro: '5.18.2', '@astrojs/node': '9.5.5' },
    files: {
      'astro.config.mjs': `import node from '@astrojs/node'
export default { output: 'server', adapter: node({ mode: 'standalone' }) }`,
      'src/middleware.js': `${TRACING}export const onRequest = (context, next) => {
  setRoute(context.routePattern)
  return propagateAttributes({ userId: context.request.headers.get('user') }, () => next())
}`,
      'src/pages/users/[id]/ask.js': `${ASK('../../../../model.mjs')}
export const GET = async ({ params }) => new Response(await ask(params.id))`,
      'src/pages/users/[id]/stream.js': `import { streamed } from '../../../../model.mjs'
export const GET = ({ params }) => new Response(streamed(params.id))`,
      'src/pages/users/[id]/fail.js': `${ASK('../../../../model.mjs')}
export const GET = async ({ params }) => { throw new Error(await ask(params.id)) }`,
    },
    build: ['node_modules/astro/astro.js', 'build'],
    serve: ['dist/server/entry.mjs'],
    route: '/users/[id]',
  },
  {
    name: 'React Router',
    dependencies: {
      'react-router': '7.18.7',
      '@react-router/node': '7.18.5',
      '@react-router/serve': '7.18.4',
      '@react-router/dev': '7.18.4',
      react: '19.3.1',
      'react-dom': '19.3.1',
      vite: '7.3.8',
      isbot: '5.2.3',
      typescript: '5.9.3',
    },
    files: {
      'vite.config.js': `import { reactRouter } from '@react-router/dev/vite'
export default { plugins: [reactRouter()] }`,
      'react-router.config.js': 'export default { ssr: true, future: { v8_middleware: true } }',
      'app/routes.js': `import { route } from '@react-router/dev/routes'
export default ['ask', 'stream', 'fail'].map((name) => route('users/:id/' + name, name + '.js'))`,
      'app/root.jsx': `import { Outlet } from 'react-router'
${TRACING}export const middleware = [({ request, pattern, unstable_pattern }, next) => {
  setRoute(pattern ?? unstable_pattern)
  return propagateAttributes({ userId: request.headers.get('user') }, next)
}]
export default () => <html><body><Outlet /></body></html>`,
      'app/ask.js': `${ASK('../model.mjs')}
export const loader = async ({ params }) => new Response(await ask(params.id))`,
      'app/stream.js': `import { streamed } from '../model.mjs'
export const loader = ({ params }) => new Response(streamed(params.id))`,
      'app/fail.js': `${ASK('../model.mjs')}
export const loader = async ({ params }) => { throw new Error(await ask(params.id)) }`,
    },
    build: ['node_modules/@react-router/dev/bin.js', 'build'],
    serve: ['node_modules/@react-router/serve/bin.js', 'build/server/index.js'],
    route: '/users/:id',
  },
  {
    name: 'SvelteKit',
    dependencies: {
      '@sveltejs/kit': '2.70.4',
      '@sveltejs/adapter-node': '5.5.7',
      '@sveltejs/vite-plugin-svelte': '6.2.4',
      svelte: '5.57.3',
      vite: '7.3.8',
    },
    files: {
      'svelte.config.js': `import adapter from '@sveltejs/adapter-node'
export default { kit: { adapter: adapter() } }`,
      'vite.config.js': `import { sveltekit } from '@sveltejs/kit/vite'
export default { plugins: [sveltekit()] }`,
      'src/app.html': '<html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
      'src/hooks.server.js': `${TRACING}export const handle = ({ event, resolve }) => {
  setRoute(event.route.id)
  return propagateAttributes({ userId: event.request.headers.get('user') }, () => resolve(event))
}`,
      'src/routes/users/[id]/ask/+server.js': `${ASK('../../../../../model.mjs')}
export const GET = async ({ params }) => new Response(await ask(params.id))`,
      'src/routes/users/[id]/stream/+server.js': `import { streamed } from '../../../../../model.mjs'
export const GET = ({ params }) => new Response(streamed(params.id))`,
      'src/routes/users/[id]/fail/+server.js': `${ASK('../../../../../model.mjs')}
export const GET = async ({ params }) => { throw new Error(await ask(params.id)) }`,
    },
    build: ['node_modules/vite/bin/vite.js', 'build'],
    serve: ['build/index.js'],
    route: '/users/[id]',
  },
  {
    name: 'Nuxt',
    dependencies: { nuxt: '4.4.5' },
    files: {
      'nuxt.config.ts': "export default defineNuxtConfig({ telemetry: false, compatibilityDate: '2026-01-01' })",
      'app/app.vue': '<template><p>Hello</p></template>',
      'server/plugins/route.js': `import { setRoute } from '@svc/tracing'
export default defineNitroPlugin((nitro) => {
  nitro.hooks.hook('beforeResponse', (event) => setRoute(event.context.matchedRoute?.path))
  nitro.hooks.hook('error', (_, { event }) => setRoute(event?.context.matchedRoute?.path))
})`,
      'server/utils/user.js': `import { propagateAttributes } from '@svc/tracing'
export const asUser = (event, work) => propagateAttributes({ userId: getHeader(event, 'user') }, work)
export const idOf = (event) => getRouterParam(event, 'id')`,
      'server/api/users/[id]/ask.get.js': `${ASK('../../../../model.mjs')}
export default defineEventHandler((event) => asUser(event, () => ask(idOf(event))))`,
      'server/api/users/[id]/stream.get.js': `import { streamed } from '../../../../model.mjs'
export default defineEventHandler((event) => asUser(event, () => streamed(idOf(event))))`,
      'server/api/users/[id]/fail.get.js': `${ASK('../../../../model.mjs')}
export default defineEventHandler((event) => asUser(event, async () => { throw new Error(await ask(idOf(event))) }))`,
    },
    build: ['node_modules/nuxt/bin/nuxt.mjs', 'build'],
    serve: ['.output/server/index.mjs'],
    base: '/api',
    route: '/api/users/:id',
  },
  {
    name: 'TanStack Start, on Nitro',
    dependencies: {
      '@tanstack/react-start': '1.169.5',
      '@tanstack/react-router': '1.170.46',
      '@vitejs/plugin-react': '6.3.0',
      nitro: '3.0.260903-beta',
      react: '19.3.1',
      'react-dom': '19.3.1',
      vite: '8.3.8',
    },
    files: {
      'vite.config.js': `import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'
import { nitro } from 'nitro/vite'
export default { plugins: [tanstackStart(), nitro(), react()] }`,
      'src/router.jsx': `import { createRouter } from '@tanstack/react-router'
import { routeTree } from './routeTree.gen'
export const getRouter = () => createRouter({ routeTree })`,
      'src/start.js': `import { createMiddleware, createStart } from '@tanstack/react-start'
import { propagateAttributes } from '@svc/tracing'
const user = createMiddleware().server(({ request, next }) =>
  propagateAttributes({ userId: request.headers.get('user') }, () => next()))
export const startInstance = createStart(() => ({ requestMiddleware: [user] }))`,
      'src/routes/__root.jsx': `import { createRootRoute, Outlet } from '@tanstack/react-router'
export const Route = createRootRoute({ component: () => <html><body><Outlet /></body></html> })`,
      ...Object.fromEntries(
        Object.entries({
          ask: 'new Response(await ask(params.id))',
          stream: 'new Response(streamed(params.id))',
          fail: '(await ask(params.id)).no.answer',
        }).map(([name, response]) => [
          `src/routes/users.$id.${name}.jsx`,
          `import { createFileRoute } from '@tanstack/react-router'
import { setRoute } from '@svc/tracing'
import { ask, streamed } from '../../model.mjs'
export const Route = createFileRoute('/users/$id/${name}')({
  server: {
    handlers: {
      GET: async ({ params }) => {
        setRoute(Route.fullPath)
        return ${response}
      },
    },
  },
})`,
        ]),
      ),
    },
    build: ['node_modules/vite/bin/vite.js', 'build'],
    serve: ['.output/server/index.mjs'],
    route: '/users/$id',
  },
  {
    name: 'AdonisJS',
    dependencies: {
      '@adonisjs/core': '7.5.2',
      '@adonisjs/assembler': '8.5.2',
      '@poppinss/ts-exec': '1.1.1',
      '@types/node': '22.19.1',
      typescript: '5.9.3',
    },
    files: {
      'tsconfig.json': `{
  "compilerOptions": { "target": "ESNext", "module": "NodeNext", "skipLibCheck": true, "outDir": "build", "rootDir": ".", "allowJs": true },
  "exclude": ["build", "ace.js"]
}`,
      'adonisrc.ts': `import { defineConfig } from '@adonisjs/core/app'
export default defineConfig({
  commands: [() => import('@adonisjs/core/commands')],
  providers: [() => import('@adonisjs/core/providers/app_provider')],
  preloads: [() => import('./start/routes.js')],
})`,
      'config/app.ts': `import { defineConfig } from '@adonisjs/core/http'
export const http = defineConfig({})`,
      'config/logger.ts': `import { defineConfig } from '@adonisjs/core/logger'
export default defineConfig({ default: 'app', loggers: { app: { enabled: false } } })`,
      'config/encryption.ts': `import { defineConfig, drivers } from '@adonisjs/core/encryption'
const gcm = drivers.aes256gcm({ id: 'gcm', keys: ['a key of no importance, a key of no importance'] })
export default defineConfig({ default: 'gcm', list: { gcm } })`,
      'start/routes.ts': `import { Readable } from 'node:stream'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import router from '@adonisjs/core/services/router'
${TRACING}${ASK('../model.mjs').replace('ask', 'ask, streamed')}
class Identify {
  handle({ request, route }: HttpContext, next: NextFn) {
    setRoute(route?.pattern)
    return propagateAttributes({ userId: request.header('user') }, next)
  }
}
router.use([async () => ({ default: Identify })])
router.get('/users/:id/ask', ({ params }) => ask(params.id))
router.get('/users/:id/stream', ({ params, response }) => response.stream(Readable.fromWeb(streamed(params.id))))
router.get('/users/:id/fail', async ({ params }) => { throw new Error(await ask(params.id)) })`,
      ...Object.fromEntries(
        [
          ['server', "httpServer().start()\nconsole.log('http://')"],
          ['console', 'ace().handle(process.argv.slice(2))'],
        ].map(([name, run]) => [
          `bin/${name}.ts`,
          `import { Ignitor } from '@adonisjs/core'
const root = new URL('../', import.meta.url)
const importer = (path) => import(path.startsWith('.') ? new URL(path, root).href : path)
await new Ignitor(root, { importer }).tap((app) => app.listen('SIGTERM', () => app.terminate())).${run}`,
        ]),
      ),
      'ace.js': "import '@poppinss/ts-exec'\nawait import('./bin/console.js')",
    },
    build: ['ace.js', 'build'],
    serve: ['build/bin/server.js'],
    route: '/users/:id',
  },
  {
    name: 'Elysia, on Node',
    dependencies: { elysia: '1.4.30', '@elysiajs/node': '1.4.5', '@sinclair/typebox': '0.34.9' },
    files: {
      'server.mjs': `import { node } from '@elysiajs/node'
import { Elysia } from 'elysia'
${TRACING}${ASK('./model.mjs').replace('ask', 'ask, streamed')}
const as = (work) => ({ headers, params, route }) => {
  setRoute(route)
  return propagateAttributes({ userId: headers.user }, () => work(params.id))
}
new Elysia({ adapter: node() })
  .get('/users/:id/ask', as(ask))
  .get('/users/:id/stream', as((id) => new Response(streamed(id))))
  .get('/users/:id/fail', as(async (id) => { throw new Error(await ask(id)) }))
  .listen({ port: process.env.PORT, hostname: '127.0.0.1' }, ({ node: { server } }) =>
    // It is called before.
    server.on('listening', () => console.log('http://')))`,
    },
    serve: ['server.mjs'],
    route: '/users/:id',
  },
  {
    name: 'hapi',
    dependencies: { '@hapi/hapi': '21.4.10' },
    files: {
      'server.mjs': `import { Readable } from 'node:stream'
import Hapi from '@hapi/hapi'
${TRACING}${ASK('./model.mjs').replace('ask', 'ask, streamed')}
const server = Hapi.server({ port: process.env.PORT, host: '127.0.0.1', debug: false })
const route = (name, work) => server.route({
  method: 'GET',
  path: '/users/{id}/' + name,
  handler: (request) => {
    setRoute(request.route.path)
    return propagateAttributes({ userId: request.headers.user }, () => work(request.params.id))
  },
})
route('ask', ask)
route('stream', (id) => Readable.fromWeb(streamed(id)))
route('fail', async (id) => { throw new Error(await ask(id)) })
await server.start()
console.log('http://')`,
    },
    serve: ['server.mjs'],
    route: '/users/{id}',
  },
  {
    name: 'tRPC, standalone',
    dependencies: { '@trpc/server': '11.25.2' },
    files: {
      'procedures.mjs': PROCEDURES,
      'server.mjs': `import { createHTTPServer } from '@trpc/server/adapters/standalone'
import { router } from './procedures.mjs'
const createContext = ({ req }) => ({ user: req.headers.user })
createHTTPServer({ router, createContext, basePath: '/trpc/' })
  .listen(process.env.PORT, '127.0.0.1', () => console.log('http://'))`,
    },
    serve: ['server.mjs'],
    asked: procedures,
  },
  {
    name: 'tRPC, by fetch',
    dependencies: { '@trpc/server': '11.25.2', '@hono/node-server': '2.1.9', hono: '4.13.19' },
    files: {
      'procedures.mjs': PROCEDURES,
      'server.mjs': `import { serve } from '@hono/node-server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { router } from './procedures.mjs'
const createContext = ({ req }) => ({ user: req.headers.get('user') })
const fetch = (req) => fetchRequestHandler({ endpoint: '/trpc', req, router, createContext })
serve({ fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' }, () => console.log('http://'))`,
    },
    serve: ['server.mjs'],
    asked: procedures,
  },
  {
    name: 'Apollo Server',
    dependencies: { '@apollo/server': '5.5.1', graphql: '16.15.0' },
    files: {
      'resolvers.mjs': RESOLVERS,
      'server.mjs': `import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { asked, failed, read } from './resolvers.mjs'
const typeDefs = 'type Query { ask(id: String): String, stream(id: String): String, fail(id: String): String }'
const resolvers = { Query: { ask: asked, stream: read, fail: failed } }
const { url } = await startStandaloneServer(new ApolloServer({ typeDefs, resolvers }), {
  context: async ({ req }) => ({ user: req.headers.user }),
  listen: { port: Number(process.env.PORT), host: '127.0.0.1' },
})
console.log(url)`,
    },
    serve: ['server.mjs'],
    asked: operations(() => 'query'),
  },
  {
    name: 'GraphQL Yoga',
    dependencies: { 'graphql-yoga': '5.24.1', graphql: '16.15.0' },
    files: {
      'resolvers.mjs': RESOLVERS,
      'server.mjs': `import { createServer } from 'node:http'
import { createSchema, createYoga } from 'graphql-yoga'
import { asked, failed, read } from './resolvers.mjs'
const typeDefs = \`type Query { ask(id: String): String, fail(id: String): String }
  type Subscription { stream(id: String): String }\`
const resolvers = {
  Query: { ask: asked, fail: failed },
  Subscription: { stream: { subscribe: async function* (...args) { yield { stream: await read(...args) } } } },
}
const context = ({ request }) => ({ user: request.headers.get('user') })
createServer(createYoga({ schema: createSchema({ typeDefs, resolvers }), context, logging: false }))
  .listen(process.env.PORT, '127.0.0.1', () => console.log('http://'))`,
    },
    serve: ['server.mjs'],
    asked: operations((what) => (what === 'stream' ? 'subscription' : 'query')),
  },
]
