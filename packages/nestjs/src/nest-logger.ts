import { Logger } from '@nestjs/common'
import { type LogSink, logThrough } from '@svc/core/log'

/**
 * Hands our lines to Nest's logger, under the name `Svc`: they are kept while logs are buffered, written by what
 * `app.useLogger()` put in its place, and not at all with `logger: false`.
 */
export function speakThroughNest(): void {
  logThrough(throughNest)
}

const throughNest: LogSink = (method, message, details) => {
  const logger = new Logger('Svc')
  const write = method === 'info' ? 'log' : method
  logger[write](message, ...details.map(String))
}
