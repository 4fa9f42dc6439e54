import { type Ask, get, listen, listenUntilAdaLeaves, message, post, query, talk } from './support/ask.ts'
import type { Column } from './support/column.ts'
import { tree } from './support/tree.ts'

/** A place where context can be lost. */
export interface Row {
  readonly ask: Ask
  readonly answer: unknown
  /** The traces of one user, drawn. */
  readonly traces: readonly string[]
  /** Guards run before anything of ours: their work is in traces of its own, which are nobody's. */
  readonly guardsOutside?: boolean
  /** Only where this is so. */
  readonly where?: (column: Column) => boolean
}

/** Every HTTP request, GraphQL query and hooked message passes the guard of the application. */
const request = (root: string, ...below: string[]) => tree(root, 'lookup', tree('guard', 'verify'), ...below)
const onlyOn12 = ({ nest }: Column) => nest === 12
// Nest 11 hands them to Fastify, which knows them, or to Express, which does not.
const whereWebBodiesWork = ({ nest, adapter }: Column) => nest === 12 || adapter === 'fastify'

/** Anyone can send a header. A client that could name a user by it would write into the session of another user. */
export const FORGED = {
  word: 'evil',
  traceId: 'a'.repeat(32),
  headers: {
    baggage: 'svc_user_id=evil,svc_session_id=evil,svc_tags=evil',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  },
} as const

export const ROWS: Readonly<Record<string, Row>> = {
  'handler, service, pipe, param decorator': {
    ask: get('/places/handler/1'),
    answer: 'served',
    traces: [request('PlacesController.handler', 'param decorator', 'pipe', tree('handler', 'service'))],
  },
  'guards of the application and of a route': {
    ask: get('/places/guards'),
    answer: 'ok',
    traces: [request('PlacesController.guards', 'roles', 'handler')],
  },
  'request with forged headers': {
    ask: get('/places/guards', FORGED.headers),
    answer: 'ok',
    traces: [request('PlacesController.guards', 'roles', 'handler')],
  },
  'exception filter': {
    ask: get('/places/filter'),
    answer: '500 {"caught":"the model is on strike"}',
    traces: [request('PlacesController.filter ERROR', 'handler', 'filter')],
  },
  'request-scoped provider: constructor and call': {
    ask: get('/scoped'),
    answer: 'called',
    traces: [request('ScopedController.scope', 'constructor', 'call')],
  },
  Observable: {
    ask: get('/places/observable'),
    answer: 'emitted',
    traces: [request('PlacesController.observable', tree('subscribe', 'emit'))],
  },
  SSE: {
    ask: listen('/streams/sse'),
    answer: 'first last',
    traces: [request('StreamsController.sse', 'first', 'last')],
  },
  'async SSE': {
    ask: listen('/streams/async-sse'),
    answer: 'first last',
    traces: [request('StreamsController.asyncSse', 'handler', 'first', 'last')],
  },
  StreamableFile: {
    ask: get('/streams/file'),
    answer: 'first last',
    traces: [request('StreamsController.file', 'first', 'last')],
  },
  'async generator': {
    ask: get('/streams/generator'),
    answer: 'first last',
    traces: [request('StreamsController.generator', 'first', 'last')],
    where: onlyOn12,
  },
  'web ReadableStream': {
    ask: get('/streams/web-stream'),
    answer: 'first last',
    traces: [request('StreamsController.webStream', 'first', 'last')],
    where: whereWebBodiesWork,
  },
  'web Response': {
    ask: get('/streams/response'),
    answer: 'first last',
    traces: [request('StreamsController.response', 'first', 'last')],
    where: whereWebBodiesWork,
  },
  '@Res(): writes and the finish event': {
    ask: get('/places/manual'),
    answer: 'first last',
    traces: [request('PlacesController.manual', 'write', 'finish')],
  },
  'GraphQL query and field resolver': {
    ask: query('query Cats { cat(name: "Tom") { name mood } }'),
    answer: { cat: { name: 'Tom', mood: 'Tom purrs' } },
    traces: [request('CatsResolver.cat', 'query', 'field')],
  },
  'GraphQL query that fails': {
    ask: query('{ lost { name } }'),
    answer: null,
    traces: [request('CatsResolver.lost ERROR', 'query')],
  },
  'message to a hybrid application with the hook': {
    ask: message('hooked', 'sum', { numbers: [1, 2, 3] }),
    answer: 6,
    traces: [request('SumsController.sum', 'handler')],
    where: onlyOn12,
  },
  'message to a microservice with the hook': {
    ask: message('alone', 'sum', { numbers: [1, 2, 3] }),
    answer: 6,
    traces: [request('SumsController.sum', 'handler')],
    where: onlyOn12,
  },
  'message that fails': {
    ask: message('alone', 'product', {}),
    answer: { error: 'that is too much' },
    traces: [request('SumsController.product ERROR', 'handler')],
    where: onlyOn12,
  },
  'message to a hybrid application that inherits our interceptor': {
    ask: message('inheriting', 'sum', { numbers: [1, 2, 3] }),
    answer: 6,
    traces: [tree('SumsController.sum', 'handler')],
    guardsOutside: true,
  },
  'message to a microservice without the hook': {
    ask: message('alone', 'sum', { numbers: [1, 2, 3] }),
    answer: 6,
    traces: [tree('SumsController.sum', 'handler')],
    guardsOutside: true,
    where: ({ nest }) => nest === 11,
  },
  'WebSocket: connection and message': {
    ask: talk('ask'),
    answer: 'purr',
    traces: [tree('connection', 'greet'), tree('TalkGateway.ask', 'handler')],
    guardsOutside: true,
  },
  'CQRS: command and event': {
    ask: post('/orders'),
    answer: 'placed',
    traces: [request('OrdersController.place', 'command', 'event')],
  },
  'job of a queue': {
    ask: post('/mail'),
    answer: 'sent',
    traces: [request('MailController.mail'), tree('mail', 'send')],
  },
  'while an interval ticks': {
    ask: get('/clock/interval'),
    answer: 'ticked',
    traces: [request('ClockController.interval', 'before', 'after')],
  },
  'while a cron job ticks': {
    ask: get('/clock/cron'),
    answer: 'ticked',
    traces: [request('ClockController.cron', 'before', 'after')],
  },
  'event of the application': {
    ask: post('/bell'),
    answer: 'rung',
    traces: [request('BellController.ring'), tree('ring', 'listener')],
  },
}

/** One leaves, the other stays: the only row whose users see different things. */
export const ABORT = {
  ask: listenUntilAdaLeaves('/streams/abort'),
  answers: { ada: 'first ', ben: 'first last' },
  traces: {
    ada: [request('StreamsController.abort WARNING', 'first')],
    ben: [request('StreamsController.abort', 'first')],
  },
} as const
