import { senderFor } from '@svc/core/delivery/send'
import { hostEnvironment } from '@svc/core/environment'
import type { HttpSender } from '@svc/core/http-exchange'
import { detectRuntime } from '@svc/core/runtime'
import { serviceHeaders } from '@svc/core/service-headers'
import type { Transport } from '@svc/core/transport'
import { type ClientSettings, settingsOf } from '../client-settings.ts'
import type { SvcClientOptions } from '../options.ts'
import { ScoreManager } from './score-manager.ts'
import { ScoreQueue } from './score-queue.ts'

/**
 * Creates the score manager of `SvcClient` alone, for programs that only send scores and want to load little code.
 *
 * @example
 * const scores = createScoreManager()
 * scores.create({ traceId, name: 'user-feedback', value: 1 })
 */
export function createScoreManager(options: SvcClientOptions = {}): ScoreManager {
  return scoreManagerOf(settingsOf(options))
}

/** {@link createScoreManager} with resolved settings. */
export function scoreManagerOf(settings: ClientSettings): ScoreManager {
  return new ScoreManager(queueOf(settings), settings.environment)
}

/** Returns undefined without a valid base URL. */
function queueOf(settings: ClientSettings): ScoreQueue | undefined {
  if (settings.baseUrl === undefined) return undefined
  const headers = serviceHeaders(settings, { 'content-type': 'application/json' })
  const target = { url: `${settings.baseUrl}/api/public/scores`, headers }
  return new ScoreQueue(settings, target, senderOf(settings.transport))
}

// Shared by all clients, because an application may create a client for each request.
const senders = new Map<string, HttpSender>()

function senderOf(transport: Transport): HttpSender {
  const key = JSON.stringify(transport)
  const sender = senders.get(key) ?? senderFor(detectRuntime(hostEnvironment), transport)
  senders.set(key, sender)
  return sender
}
