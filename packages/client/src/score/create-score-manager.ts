import { senderFor } from '@svc/core/delivery/send'
import { hostEnvironment } from '@svc/core/environment'
import type { HttpSender } from '@svc/core/http-exchange'
import { detectRuntime } from '@svc/core/runtime'
import type { Transport } from '@svc/core/transport'
import { type ClientSettings, settingsOf } from '../client-settings.ts'
import type { SvcClientOptions } from '../options.ts'
import { ScoreManager } from './score-manager.ts'
import { ScoreQueue } from './score-queue.ts'
import { scoreTarget } from './score-sender.ts'

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
  const target = scoreTarget(settings)
  const queue = target && new ScoreQueue(settings, target, senderOf(settings.transport))
  return new ScoreManager(queue, settings.environment)
}

// Shared by all clients, because an application may create a client for each request.
const senders = new Map<string, HttpSender>()

function senderOf(transport: Transport): HttpSender {
  const key = JSON.stringify(transport)
  const sender = senders.get(key) ?? senderFor(detectRuntime(hostEnvironment), transport)
  senders.set(key, sender)
  return sender
}
