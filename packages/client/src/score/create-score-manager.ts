import { senderFor } from '@svc/core/delivery/send'
import { hostEnvironment } from '@svc/core/environment'
import type { HttpSender } from '@svc/core/http-exchange'
import { detectRuntime } from '@svc/core/runtime'
import type { Transport } from '@svc/core/transport'
import { type ClientSettings, settingsOf } from '../client-settings.ts'
import type { SvcClientOptions } from '../options.ts'
import { ScoreManager } from './score-manager.ts'
import { ScoreQueue } from './score-queue.ts'
import { scoreTarget } from './score-way.ts'

/**
 * The scores of `SvcClient` by themselves, for programs that send nothing else and want to load nothing else.
 *
 * @example
 * const scores = createScoreManager()
 * scores.create({ traceId, name: 'user-feedback', value: 1 })
 */
export function createScoreManager(options: SvcClientOptions = {}): ScoreManager {
  return scoreManagerOf(settingsOf(options))
}

/** {@link createScoreManager} where the settings are known. */
export function scoreManagerOf(settings: ClientSettings): ScoreManager {
  const target = scoreTarget(settings)
  const queue = target && new ScoreQueue(settings, target, senderOf(settings.transport))
  return new ScoreManager(queue, settings.environment)
}

// Shared by all clients: one that is made for each request of an application would leave its connections behind.
const senders = new Map<string, HttpSender>()

function senderOf(transport: Transport): HttpSender {
  const key = JSON.stringify(transport)
  const sender = senders.get(key) ?? senderFor(detectRuntime(hostEnvironment), transport)
  senders.set(key, sender)
  return sender
}
