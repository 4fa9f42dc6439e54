import { ON_SERVER } from '@svc/core/on-server'
import { type Environment, hostEnvironment } from './environment.ts'
import { foreignDetail, foreignText } from './foreign-text.ts'
import { ownFields } from './own.ts'
import { SeenMessages } from './seen-messages.ts'
import { readSettings } from './setting.ts'
import { logSettings } from './settings-first.ts'
import * as SLOTS from './slots.ts'
import { isThread } from './thread.ts'

/** Levels in ascending order. A logger prints its level and everything above. */
export const LogLevel = { DEBUG: 0, INFO: 1, WARN: 2, ERROR: 3, NONE: 4 } as const
export type LogLevel = (typeof LogLevel)[keyof typeof LogLevel]

export interface LoggerOptions {
  /** Lowest level that is printed. Default: DEBUG with `SVC_DEBUG=true`, else `SVC_LOG_LEVEL`, else INFO. */
  level?: LogLevel
  /** Text before the level. Default `[Svc SDK]`. */
  prefix?: string
  /** Start each line with an ISO timestamp. Default true. */
  enableTimestamp?: boolean
}

/** Characters of a line: more than the packages say, and less than a log is flooded with. */
const LONGEST_LINE = 8_192

type Method = 'debug' | 'info' | 'warn' | 'error'

/**
 * A small leveled logger that writes to the matching `console` method and never throws. Every message is one line without
 * secrets and control characters, whoever the names and reasons in it are from.
 */
export class Logger {
  #level: LogLevel
  readonly #prefix: string
  readonly #timestamp: boolean
  readonly #seen = new SeenMessages()

  constructor(options: LoggerOptions = {}) {
    const { level = LogLevel.INFO, prefix = '[Svc SDK]', enableTimestamp = true } = ownFields(options)
    this.#level = level
    this.#prefix = prefix
    this.#timestamp = enableTimestamp
  }

  error(message: string, ...details: unknown[]): void {
    this.#write('error', message, details)
  }

  warn(message: string, ...details: unknown[]): void {
    this.#write('warn', message, details)
  }

  info(message: string, ...details: unknown[]): void {
    this.#write('info', message, details)
  }

  debug(message: string, ...details: unknown[]): void {
    this.#write('debug', message, details)
  }

  /**
   * Prints a message only once. Of messages with the same beginning only a few are printed, so that values in them
   * neither flood the log nor suppress other messages.
   *
   * @param about the subject of a message whose text varies: it is printed once for each subject
   */
  once(level: Method, message: string, about?: string): void {
    if (this.#seen.isNew(message, about)) this[level](message)
  }

  setLevel(level: LogLevel): void {
    this.#level = level
  }

  getLevel(): LogLevel {
    return this.#level
  }

  isLevelEnabled(level: LogLevel): boolean {
    return level >= this.#level && level !== LogLevel.NONE
  }

  #write(method: Method, text: string, parts: unknown[]): void {
    const name = method.toUpperCase() as Uppercase<Method>
    if (!this.isLevelEnabled(LogLevel[name])) return
    try {
      const message = foreignText(text, LONGEST_LINE)
      const details = parts.map(foreignDetail)
      const sink = ON_SERVER && sinks[SINK]
      if (sink) {
        sink(method, message, details)
      } else {
        const time = this.#timestamp ? `${new Date().toISOString()} ` : ''
        console[method](`${time}${this.#prefix} [${name}] ${message}`, ...details)
      }
    } catch {
      // What throws (a logger of the application, a closed stdout, a detail that is a revoked proxy) must not reach the
      // application.
    }
  }
}

/** Receives log lines in place of the console. */
export type LogSink = (method: Method, message: string, details: readonly unknown[]) => void

// Separate from the logger, which users may replace at any time: the framework decides where lines are written. Only
// frameworks of servers have one.
const SINK = Symbol.for(SLOTS.LOG_SINK)
const sinks = globalThis as unknown as Record<symbol, LogSink | undefined>

/** Passes every line, without timestamp and prefix, to the logger of a framework; undefined restores the console. */
export function logThrough(sink: LogSink | undefined): void {
  sinks[SINK] = sink
}

/**
 * Creates a logger with the level of the environment: `SVC_DEBUG=true` takes precedence over `SVC_LOG_LEVEL`; the
 * default is INFO.
 */
export function loggerFrom(env: Environment, options: LoggerOptions = {}): Logger {
  const complaints: string[] = []
  const { debug, logLevel } = readSettings(logSettings, {}, env, (line) => complaints.push(line))
  const logger = new Logger({ level: debug ? LogLevel.DEBUG : LogLevel[logLevel], ...options })
  for (const line of complaints) logger.once(env === hostEnvironment ? ofSettings() : 'warn', line)
  return logger
}

// On globalThis, because copies of this module (bundlers, several installed versions) have to share it.
const SLOT = Symbol.for(SLOTS.LOG)
const slots = globalThis as unknown as Record<symbol, Logger | undefined>

/** Creates a logger that is independent of the global one. */
export function createLogger(options?: LoggerOptions): Logger {
  return new Logger(options)
}

/** Returns the logger of all `@svc` packages. */
export function getGlobalLogger(): Logger {
  slots[SLOT] ??= loggerFrom(hostEnvironment)
  return slots[SLOT]
}

/** Replaces the global logger. Missing options have their defaults. */
export function configureGlobalLogger(options: LoggerOptions): void {
  slots[SLOT] = loggerFrom(hostEnvironment, options)
}

/** Replaces the global logger by the default one. */
export function resetGlobalLogger(): void {
  slots[SLOT] = undefined
}

/** Logs with the current global logger; for use inside the packages. */
export const log = {
  error: through('error'),
  warn: through('warn'),
  info: through('info'),
  debug: through('debug'),
  once: (level: Method, message: string, about?: string) => getGlobalLogger().once(level, message, about),
}

function through(method: Method) {
  return (message: string, ...details: unknown[]) => getGlobalLogger()[method](message, ...details)
}

/** Whether messages of level debug are printed. */
export const isDebugging = (): boolean => getGlobalLogger().isLevelEnabled(LogLevel.DEBUG)

export const warnOnce = (line: string): void => log.once('warn', line)

/** {@link warnOnce} about a setting: once for a process and its threads, which have the same settings. */
export const warnOfSetting = (line: string): void => log.once(ofSettings(), line)

const ofSettings = (): Method => (ON_SERVER && isThread() ? 'debug' : 'warn')

/** Returns the message of anything that was thrown, its JSON where it has none; never throws. */
export function messageOf(error: unknown): string {
  try {
    const message = messageIn(error)
    if (message !== undefined) return message
    const text = String(Object(error).toString ? error : {})
    return text === String({}) ? JSON.stringify(error) : text
  } catch {
    return 'unknown error'
  }
}

/**
 * Returns anything that was thrown as its class writes it, `TypeError: no`; a plain object by its message, else as JSON.
 * Undefined if it cannot be read.
 */
export function thrownText(error: unknown): string | undefined {
  try {
    const text = String(error)
    return text === String({}) ? messageOf(error) : text
  } catch {
    return undefined
  }
}

/**
 * Returns the message of an error, or a thrown text; undefined if there is none. Services send `{ message }`,
 * `{ error: { message } }` or `{ error: text }`. Where all addresses of a host fail, Node throws an `AggregateError`
 * without a message of its own.
 */
export function messageIn(error: unknown): string | undefined {
  try {
    if (typeof error === 'string') return error || undefined
    const { message, error: inner, errors } = error as { message?: unknown; error?: unknown; errors?: unknown }
    if (typeof message === 'string' && message !== '') return message
    return messageIn(inner ?? (Array.isArray(errors) ? errors[0] : undefined))
  } catch {
    return undefined
  }
}
