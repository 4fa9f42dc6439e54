import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { environmentOf } from './environment.ts'
import { keepSecret } from './keep-secret.ts'
import {
  configureGlobalLogger,
  createLogger,
  getGlobalLogger,
  isDebugging,
  LogLevel,
  log,
  loggerFrom,
  logThrough,
  messageOf,
  resetGlobalLogger,
  thrownText,
  warnOnce,
} from './log.ts'

const METHODS = ['debug', 'info', 'warn', 'error'] as const
let lines: [method: string, ...parts: unknown[]][] = []

beforeEach(() => {
  lines = []
  for (const method of METHODS) {
    vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => void lines.push([method, ...parts]))
  }
})
afterEach(() => {
  vi.restoreAllMocks()
  resetGlobalLogger()
})

const logAll = (logger: Pick<ReturnType<typeof createLogger>, (typeof METHODS)[number]>) => {
  for (const method of METHODS) logger[method](method)
  return lines.map(([method]) => method)
}

describe('a logger', () => {
  it('writes time, prefix, level, message and details to the matching console method', () => {
    createLogger().error('broken', { a: 1 }, 7)
    expect(lines).toEqual([
      ['error', expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z \[Svc SDK\] \[ERROR\] broken$/), '{"a":1}', 7],
    ])
  })

  it('writes one line without secrets and control characters, whoever it quotes', () => {
    keepSecret('correct-horse')
    createLogger({ enableTimestamp: false }).warn(
      'no \u009B2J"a"\n2026 [WARN] forged\u202E: correct-horse',
      'x\ncorrect-horse',
    )
    expect(lines).toEqual([['warn', '[Svc SDK] [WARN] no 2J"a" 2026 [WARN] forged : (hidden)', 'x (hidden)']])
  })

  it('writes an error as its stack and an object as its JSON, without secrets', () => {
    keepSecret('correct-horse')
    const plain = new Error('no')
    const telling = new Error('no correct-horse\nforged')
    const withBody = Object.assign(new Error('no'), { body: 'correct-horse' })
    const thrown = { headers: { authorization: 'correct-horse' } }
    createLogger().error('failed:', plain, telling, withBody, thrown)
    const [[, , ...details] = []] = lines
    expect(details).toEqual([
      plain.stack,
      expect.stringMatching(/^Error: no \(hidden\)\n {4}forged\n {4}at /),
      expect.stringMatching(/^Error: no\n {4}at /),
      '{"headers":{"authorization":"(hidden)"}}',
    ])
  })

  it('writes an error of another realm as its stack, and within an object as its message', () => {
    const foreign = runInNewContext('new TypeError("no")')
    createLogger().error(
      'failed:',
      foreign,
      { foreign },
      Object.defineProperty({}, 'stack', { get: () => foreign.x.y }),
    )
    expect(lines[0]?.slice(2)).toEqual([
      expect.stringMatching(/^TypeError: no\n {4}at /),
      '{"foreign":"TypeError: no"}',
      '{}',
    ])
  })

  it.each<[name: string, detail: object]>([
    ['a map', new Map([['key', 'correct-horse']])],
    ['a set in a list', [new Set(['correct-horse'])]],
    ['headers', new Headers({ authorization: 'correct-horse' })],
    ['an error in an object', { error: new Error('no: correct-horse') }],
    ['a function', Object.assign(() => {}, { key: 'correct-horse' })],
    [
      'a class with a JSON of its own',
      Object.assign(new (class Config {})(), { key: 'correct-horse', toJSON: () => ({}) }),
    ],
    ['a symbol of an object', { [Symbol('key')]: 'correct-horse' }],
    ['a symbol of an error', Object.assign(new Error('no'), { [Symbol('key')]: 'correct-horse' })],
    ['an error that shows itself', Object.assign(new Error('no'), { [inspect.custom]: () => 'correct-horse' })],
    ['a field of a list', Object.assign([1], { key: 'correct-horse' })],
  ])('writes no secret that JSON does not have, but the console shows: %s', (_, detail) => {
    keepSecret('correct-horse')
    createLogger().error('failed:', detail)
    expect(inspect(lines, { depth: null })).not.toContain('correct-horse')
  })

  it('takes another prefix and can omit the time', () => {
    createLogger({ prefix: 'mine', enableTimestamp: false }).warn('careful')
    expect(lines).toEqual([['warn', 'mine [WARN] careful']])
  })

  it.each<[level: LogLevel, methods: string[]]>([
    [LogLevel.DEBUG, ['debug', 'info', 'warn', 'error']],
    [LogLevel.INFO, ['info', 'warn', 'error']],
    [LogLevel.WARN, ['warn', 'error']],
    [LogLevel.ERROR, ['error']],
    [LogLevel.NONE, []],
  ])('at level %d prints %j', (level, methods) => {
    const logger = createLogger({ level })
    expect(logAll(logger)).toEqual(methods)
    expect(logger.getLevel()).toBe(level)
    expect(logger.isLevelEnabled(LogLevel.ERROR)).toBe(level <= LogLevel.ERROR)
    expect(logger.isLevelEnabled(LogLevel.NONE)).toBe(false)
  })

  it('can change its level', () => {
    const logger = createLogger()
    logger.setLevel(LogLevel.ERROR)
    expect(logAll(logger)).toEqual(['error'])
  })

  it('logs a message once, and only a few similar ones', () => {
    const logger = createLogger()
    for (let at = 0; at < 2_000; at++) logger.once('warn', `user ${at} of "${at}" is not known: no user "${at}"`)
    expect(lines).toHaveLength(20)
    for (const line of ['another thing', 'another thing']) logger.once('warn', line)
    expect(lines).toHaveLength(21)
  })

  it('logs messages with the same key once, even if their texts differ', () => {
    const logger = createLogger()
    for (let at = 0; at < 50; at++) logger.once('warn', `failed: ${'x'.repeat(at)}`, 'the failure')
    expect(lines).toHaveLength(1)
  })

  it('always logs new messages', () => {
    const logger = createLogger()
    const word = (at: number) => [...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
    for (let at = 0; at < 3_000; at++) logger.once('warn', `${word(at)} begins otherwise`)
    const before = lines.length
    logger.once('warn', 'no keys')
    expect(lines).toHaveLength(before + 1)
  })

  it('passes lines to the logger of a framework', () => {
    const received: unknown[] = []
    logThrough((method, message, details) => {
      received.push([method, message, ...details])
      if (message === 'broken') throw new Error('no disk')
    })
    const logger = createLogger({ level: LogLevel.INFO })
    logger.warn('closing', 1)
    logger.debug('not asked for')
    expect(() => logger.error('broken')).not.toThrow()
    logThrough(undefined)
    logger.info('again')
    expect(received).toEqual([
      ['warn', 'closing', 1],
      ['error', 'broken'],
    ])
    expect(lines.map(([method]) => method)).toEqual(['info'])
  })

  it('does not throw if the console throws', () => {
    vi.spyOn(console, 'info').mockImplementation(() => {
      throw new Error('stdout is closed')
    })
    expect(() => createLogger().info('x')).not.toThrow()
  })
})

describe('the log level of the environment', () => {
  it.each<[variables: Record<string, string>, level: LogLevel, complaints: number]>([
    [{}, LogLevel.INFO, 0],
    [{ SVC_LOG_LEVEL: 'error' }, LogLevel.ERROR, 0],
    [{ SVC_LOG_LEVEL: 'NONE' }, LogLevel.NONE, 0],
    [{ SVC_LOG_LEVEL: 'DEBUG' }, LogLevel.DEBUG, 0],
    [{ SVC_DEBUG: 'true', SVC_LOG_LEVEL: 'ERROR' }, LogLevel.DEBUG, 0],
    [{ SVC_DEBUG: 'false', SVC_LOG_LEVEL: 'WARN' }, LogLevel.WARN, 0],
    [{ SVC_LOG_LEVEL: 'loud' }, LogLevel.INFO, 1],
    [{ SVC_DEBUG: 'maybe' }, LogLevel.INFO, 1],
  ])('%j', (variables, level, complaints) => {
    expect(loggerFrom(environmentOf(variables)).getLevel()).toBe(level)
    expect(lines).toHaveLength(complaints)
  })
})

describe('the global logger', () => {
  it('is shared with other copies of the package', async () => {
    configureGlobalLogger({ level: LogLevel.ERROR })
    vi.resetModules()
    const copy = await import('./log.ts')
    expect(copy.getGlobalLogger).not.toBe(getGlobalLogger)
    expect(copy.getGlobalLogger()).toBe(getGlobalLogger())
  })

  it('is used by the shorthand functions, whenever it was configured', () => {
    configureGlobalLogger({ level: LogLevel.DEBUG, prefix: 'a', enableTimestamp: false })
    expect(isDebugging()).toBe(true)
    expect(logAll(log)).toEqual([...METHODS])
    configureGlobalLogger({ level: LogLevel.NONE })
    expect(isDebugging()).toBe(false)
    log.error('silent')
    expect(lines).toHaveLength(4)
  })

  it('can be reset to the environment', () => {
    configureGlobalLogger({ level: LogLevel.NONE })
    resetGlobalLogger()
    expect(getGlobalLogger().getLevel()).toBe(LogLevel.INFO)
  })

  it('warns once for each line', () => {
    for (const line of ['a', 'b', 'a']) warnOnce(line)
    expect(lines).toHaveLength(2)
  })
})

describe('the message of a thrown value', () => {
  it.each<[error: unknown, message: string]>([
    [new Error('broken'), 'broken'],
    [new Error(), 'Error'],
    [new AggregateError([new Error('connect ECONNREFUSED ::1:80')]), 'connect ECONNREFUSED ::1:80'],
    ['text', 'text'],
    [runInNewContext('new Error("of another realm")'), 'of another realm'],
    [{ type: 'error', error: { message: 'overloaded' } }, 'overloaded'],
    [{ error: 'model not found' }, 'model not found'],
    [new Error('[object Object]'), '[object Object]'],
    [{ message: 7, error: null }, '{"message":7,"error":null}'],
    [undefined, 'undefined'],
    [
      {
        toString: () => {
          throw new Error('no')
        },
      },
      'unknown error',
    ],
    [Object.assign(Object.create(null), { code: 5 }), '{"code":5}'],
    [circular(), 'unknown error'],
  ])('%#', (error, message) => {
    expect(messageOf(error)).toBe(message)
  })
})

it.each<[error: unknown, text: string | undefined]>([
  [new TypeError('no'), 'TypeError: no'],
  ['text', 'text'],
  [{ code: 5 }, '{"code":5}'],
  [{ message: 'no' }, 'no'],
  [Object.create(null), undefined],
])('what was thrown is a text with the name of an error, and no "[object Object]": %#', (error, text) => {
  expect(thrownText(error)).toBe(text)
})

function circular(): object {
  const error: Record<string, unknown> = {}
  return Object.assign(error, { error, errors: [error] })
}
